import { isObject } from './is-object.ts';
import { InvalidQuestion, parseFunction, type LlmDialect, type LlmReply } from './llm-dialect.ts';

const roles = new Set(['system', 'user', 'assistant', 'tool']);

/** https://docs.cohere.com/reference/chat, its events: https://docs.cohere.com/v2/docs/streaming */
export const cohereDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body)) throw new InvalidQuestion('invalid json');
    const { model, messages, tools = [], stream } = body;
    if (typeof model !== 'string') throw new InvalidQuestion('model is required');
    if (!Array.isArray(messages) || messages.length === 0) throw new InvalidQuestion('messages must not be empty');
    const turns = messages.map((message: unknown) => {
      if (!isObject(message) || !roles.has(String(message['role']))) throw new InvalidQuestion('invalid role');
      return { role: String(message['role']), text: readContent(message['content']) };
    });
    return {
      model,
      prompt: turns.findLast(({ role }) => role === 'user')?.text ?? '',
      input: turns.map(({ text }) => text).join('\n'),
      stream: stream === true,
      streamUsage: true,
      tools: (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) =>
        isObject(tool) && isObject(tool['function'])
          ? [parseFunction(tool['function'], tool['function']['parameters'])]
          : [],
      ),
      results: turns.filter(({ role }) => role === 'tool').map(({ text }) => text),
      body,
      path,
    };
  },

  renderReply: (reply) => ({
    id: `peer-${reply.number}`,
    finish_reason: finishReason(reply),
    message: {
      role: 'assistant',
      ...(reply.call === undefined
        ? { content: [{ type: 'text', text: reply.pieces.join('') }] }
        : { tool_calls: [renderCall(reply.call.name, reply.pieces.join(''), reply)] }),
    },
    usage: renderUsage(reply),
  }),

  renderStream(reply) {
    const { call } = reply;
    const begin =
      call === undefined
        ? event('content-start', { index: 0, delta: { message: { content: { type: 'text', text: '' } } } })
        : event('tool-call-start', { index: 0, delta: { message: { tool_calls: renderCall(call.name, '', reply) } } });
    return {
      head: `${event('message-start', { id: `peer-${reply.number}`, delta: { message: { role: 'assistant' } } })}${begin}`,
      pieces: reply.pieces.map((text) =>
        call === undefined
          ? event('content-delta', { index: 0, delta: { message: { content: { text } } } })
          : event('tool-call-delta', {
              index: 0,
              delta: { message: { tool_calls: { function: { arguments: text } } } },
            }),
      ),
      tail: `${event(call === undefined ? 'content-end' : 'tool-call-end', { index: 0 })}${event('message-end', {
        delta: { finish_reason: finishReason(reply), usage: renderUsage(reply) },
      })}`,
    };
  },

  renderError: (_status, message) => ({ id: 'peer', message }),
};

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const finishReason = ({ call }: LlmReply): string => (call === undefined ? 'COMPLETE' : 'TOOL_CALL');

const renderCall = (name: string, given: string, { number }: LlmReply) => ({
  id: `${name}_peer_${number}`,
  type: 'function',
  function: { name, arguments: given },
});

/** What Cohere puts around a prompt is read, and not billed. */
const renderUsage = ({ inputTokens, outputTokens }: LlmReply) => ({
  billed_units: { input_tokens: inputTokens, output_tokens: outputTokens },
  tokens: { input_tokens: inputTokens + 496, output_tokens: outputTokens + 2 },
  cached_tokens: 0,
});

function readContent(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [];
  return parts
    .map((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}
