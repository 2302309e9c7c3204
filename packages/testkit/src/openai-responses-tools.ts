import { isObject } from './is-object.ts';
import { InvalidQuestion, parseFunction, type LlmReply, type OfferedTool } from './llm-dialect.ts';
import { invalidType } from './openai-error.ts';

/** Reads the tools of a request, those in a namespace too. The others run where the model runs. */
export function parseTools(tools: unknown, at = 'tools'): readonly OfferedTool[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) throw invalidType(at, 'an array of objects');
  return tools.flatMap((tool: unknown, index) => {
    if (!isObject(tool) || typeof tool['type'] !== 'string') {
      throw invalidType(`${at}[${index}]`, 'an object with a type');
    }
    const { type, name, parameters } = tool;
    if (type !== 'function' && type !== 'custom' && type !== 'namespace') return [];
    if (typeof name !== 'string') {
      throw new InvalidQuestion(`Missing required parameter: '${at}[${index}].name'.`, `${at}[${index}].name`);
    }
    if (type === 'namespace') return parseTools(tool['tools'], `${at}[${index}].tools`);
    const offered = parseFunction(tool, parameters);
    return [type === 'custom' ? { ...offered, takes: 'text' as const } : offered];
  });
}

/** Tools that a conversation brings among its items. */
export const parseAdditionalTools = (input: unknown): readonly OfferedTool[] =>
  Array.isArray(input)
    ? input.flatMap((item: unknown, index) =>
        isObject(item) && item['type'] === 'additional_tools' ? parseTools(item['tools'], `input[${index}].tools`) : [],
      )
    : [];

export const takesText = ({ call }: LlmReply): boolean => typeof call?.arguments === 'string';

/** A call as an item of the output, with as much of its arguments as there is. */
export function renderCall(reply: LlmReply, status: string) {
  const text = reply.pieces.join('');
  const call = { id: callItemId(reply), status, call_id: `call_peer_${reply.number}`, name: reply.call?.name };
  return takesText(reply)
    ? { ...call, type: 'custom_tool_call', input: text }
    : { ...call, type: 'function_call', arguments: text };
}

export const callItemId = (reply: LlmReply): string => `${takesText(reply) ? 'ctc' : 'fc'}_peer_${reply.number}`;
