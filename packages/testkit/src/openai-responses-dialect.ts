import { isObject } from './is-object.ts';
import { imageMark, InvalidQuestion, type LlmDialect, type LlmReply } from './llm-dialect.ts';
import { invalidType, renderOpenaiError } from './openai-error.ts';
import { callItemId, parseAdditionalTools, parseTools, renderCall, takesText } from './openai-responses-tools.ts';

/** Responses: https://platform.openai.com/docs/api-reference/responses */
export const openaiResponsesDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body)) throw new InvalidQuestion('We could not parse the JSON body of your request.');
    const { model, input, instructions, stream, tools } = body;
    if (typeof model !== 'string') throw new InvalidQuestion("Missing required parameter: 'model'.", 'model');
    if (input === undefined) throw new InvalidQuestion("Missing required parameter: 'input'.", 'input');
    if (body['messages'] !== undefined) throw new InvalidQuestion("Unknown parameter: 'messages'.", 'messages');
    if (instructions !== undefined && instructions !== null && typeof instructions !== 'string') {
      throw invalidType('instructions', 'a string');
    }
    const items = typeof input === 'string' ? [{ role: 'user', text: input }] : parseItems(input);
    const texts = items.map(({ text }) => text);
    return {
      model,
      prompt: items.findLast(({ role }) => role === 'user' || role === 'tool')?.text ?? '',
      input: [instructions ?? '', ...texts].join('\n'),
      stream: stream === true,
      streamUsage: true,
      tools: [...parseTools(tools), ...parseAdditionalTools(input)],
      results: items.filter(({ role }) => role === 'tool').map(({ text }) => text),
      body,
      path,
    };
  },

  renderReply: (reply) => renderResponse(reply, 'completed', [renderItem(reply, 'completed')]),

  renderStream(reply) {
    let sequence = 0;
    const frame = (type: string, fields: Readonly<Record<string, unknown>>) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;
    const begun = { response: renderResponse(reply, 'in_progress', []) };
    const place = { item_id: itemId(reply), output_index: 0 };
    const text = reply.pieces.join('');
    const { call } = reply;
    const part = (done: string) => ({
      ...place,
      content_index: 0,
      part: { type: 'output_text', text: done, annotations: [] },
    });
    const head = [
      frame('response.created', begun),
      frame('response.in_progress', begun),
      frame('response.output_item.added', {
        output_index: 0,
        item: renderItem({ ...reply, pieces: [] }, 'in_progress'),
      }),
      ...(call === undefined ? [frame('response.content_part.added', part(''))] : []),
    ];
    const deltas = reply.pieces.map((delta) =>
      call === undefined
        ? frame('response.output_text.delta', {
            ...place,
            content_index: 0,
            delta,
            logprobs: [],
            obfuscation: 'aXq7Lp',
          })
        : frame(takesText(reply) ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta', {
            ...place,
            delta,
            obfuscation: 'Zk2',
          }),
    );
    const done =
      call === undefined
        ? [
            frame('response.output_text.done', { ...place, content_index: 0, text, logprobs: [] }),
            frame('response.content_part.done', part(text)),
          ]
        : [
            takesText(reply)
              ? frame('response.custom_tool_call_input.done', { ...place, input: text })
              : frame('response.function_call_arguments.done', { ...place, name: call.name, arguments: text }),
          ];
    const item = renderItem(reply, 'completed');
    const tail = [
      ...done,
      frame('response.output_item.done', { output_index: 0, item }),
      frame('response.completed', { response: renderResponse(reply, 'completed', [item]) }),
    ];
    return { head: head.join(''), pieces: deltas, tail: tail.join('') };
  },

  renderError: renderOpenaiError,
};

const itemId = (reply: LlmReply): string => (reply.call === undefined ? `msg_peer_${reply.number}` : callItemId(reply));

function renderItem(reply: LlmReply, status: string) {
  if (reply.call !== undefined) return renderCall(reply, status);
  const text = reply.pieces.join('');
  const content = status === 'completed' ? [{ type: 'output_text', text, annotations: [], logprobs: [] }] : [];
  return { id: itemId(reply), type: 'message', status, role: 'assistant', content };
}

const renderResponse = (reply: LlmReply, status: string, output: readonly unknown[]) => ({
  id: `resp_peer_${reply.number}`,
  object: 'response',
  created_at: 1_767_225_600,
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  model: reply.model,
  output,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage:
    status === 'completed'
      ? {
          input_tokens: reply.inputTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: reply.outputTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: reply.inputTokens + reply.outputTokens,
        }
      : null,
});

interface Item {
  readonly role: string;
  readonly text: string;
}

function parseItems(input: unknown): readonly Item[] {
  if (!Array.isArray(input)) throw invalidType('input', 'one of a string or array of items');
  return input.map((item: unknown, index): Item => {
    const at = `input[${index}]`;
    if (!isObject(item)) throw invalidType(at, 'an object');
    const { type = 'message', role, content, call_id: callId, output } = item;
    if (type === 'function_call_output' || type === 'custom_tool_call_output') {
      if (typeof callId !== 'string')
        throw new InvalidQuestion(`Missing required parameter: '${at}.call_id'.`, `${at}.call_id`);
      return { role: 'tool', text: typeof output === 'string' ? output : parseContent(output, `${at}.output`) };
    }
    if (type !== 'message') return { role: 'assistant', text: '' };
    if (typeof role !== 'string' || !['system', 'developer', 'user', 'assistant'].includes(role)) {
      throw new InvalidQuestion(`Invalid value: '${String(role)}'.`, `${at}.role`);
    }
    return { role, text: typeof content === 'string' ? content : parseContent(content, `${at}.content`) };
  });
}

function parseContent(content: unknown, at: string): string {
  if (!Array.isArray(content)) throw invalidType(at, 'one of a string or array of content');
  return content
    .map((part: unknown, index) => {
      if (!isObject(part)) throw invalidType(`${at}[${index}]`, 'an object');
      if (part['type'] === 'input_image') {
        if (typeof part['image_url'] !== 'string') throw invalidType(`${at}[${index}].image_url`, 'a string');
        return imageMark;
      }
      if (typeof part['text'] !== 'string') throw invalidType(`${at}[${index}].text`, 'a string');
      return part['text'];
    })
    .join('');
}
