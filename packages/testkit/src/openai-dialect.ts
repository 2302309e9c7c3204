import { isObject } from './is-object.ts';
import { InvalidQuestion, type LlmDialect, type LlmReply } from './llm-dialect.ts';

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

/** Chat completions: https://platform.openai.com/docs/api-reference/chat */
export const openaiDialect: LlmDialect = {
  parse(body) {
    if (!isObject(body)) throw new InvalidQuestion('We could not parse the JSON body of your request.');
    const { model, messages, stream, stream_options: streamOptions } = body;

    if (model === undefined) throw new InvalidQuestion('you must provide a model parameter');
    if (typeof model !== 'string') throw invalidType('model', 'a string');
    if (messages === undefined) throw new InvalidQuestion("Missing required parameter: 'messages'.", 'messages');
    if (!Array.isArray(messages)) throw invalidType('messages', 'an array of objects');
    if (messages.length === 0) throw new InvalidQuestion("Invalid 'messages': empty array.", 'messages');
    if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
      throw invalidType('stream', 'a boolean');
    if (isObject(streamOptions) && stream !== true) {
      throw new InvalidQuestion(
        "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        'stream_options',
      );
    }
    for (const name of ['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'n']) {
      const value = body[name] ?? 1;
      if (typeof value !== 'number') throw invalidType(name, 'a number');
    }

    const texts = messages.map(parseMessage);
    return {
      model,
      prompt: texts.findLast(({ role }) => role === 'user')?.text ?? '',
      input: texts.map(({ text }) => text).join('\n'),
      stream: stream === true,
      streamUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
    };
  },

  renderReply: (reply) => ({
    ...envelope('chat.completion', reply),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.pieces.join(''), refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: renderUsage(reply),
  }),

  renderStream(reply, { streamUsage }) {
    const frame = (choices: readonly unknown[], usage: unknown = null) =>
      `data: ${JSON.stringify({ ...envelope('chat.completion.chunk', reply), choices, ...(streamUsage && { usage }) })}\n\n`;
    const delta = (content: unknown, finishReason: string | null = null) =>
      frame([{ index: 0, delta: content, logprobs: null, finish_reason: finishReason }]);
    return {
      head: delta({ role: 'assistant', content: '', refusal: null }),
      pieces: reply.pieces.map((content) => delta({ content })),
      tail: `${delta({}, 'stop')}${streamUsage ? frame([], renderUsage(reply)) : ''}data: [DONE]\n\n`,
    };
  },

  renderError: (status, message, parameter = null) => ({
    error: {
      message,
      type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error',
      param: parameter,
      code: status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : null,
    },
  }),
};

const envelope = (object: string, { model }: LlmReply) => ({
  id: 'chatcmpl-peer',
  object,
  created: 1_767_225_600,
  model,
  service_tier: 'default',
  system_fingerprint: 'fp_peer',
});

const renderUsage = ({ inputTokens, outputTokens }: LlmReply) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
});

const invalidType = (name: string, expected: string) =>
  new InvalidQuestion(`Invalid type for '${name}': expected ${expected}.`, name);

function parseMessage(message: unknown, index: number): { readonly role: string; readonly text: string } {
  const at = `messages[${index}]`;
  if (!isObject(message)) throw invalidType(at, 'an object');
  const { role, content } = message;
  if (typeof role !== 'string') throw new InvalidQuestion(`Missing required parameter: '${at}.role'.`, `${at}.role`);
  if (!roles.includes(role)) {
    throw new InvalidQuestion(`Invalid value: '${role}'. Supported values are: ${roles.join(', ')}.`, `${at}.role`);
  }
  if (typeof content === 'string') return { role, text: content };
  if (Array.isArray(content)) return { role, text: content.map((part) => parsePart(part, at)).join('') };
  if ((content === null || content === undefined) && role === 'assistant') return { role, text: '' };
  throw invalidType(`${at}.content`, 'one of a string or array of objects');
}

function parsePart(part: unknown, at: string): string {
  if (!isObject(part) || typeof part['type'] !== 'string') throw invalidType(`${at}.content`, 'objects with a type');
  if (part['type'] !== 'text') return '';
  if (typeof part['text'] !== 'string') throw invalidType(`${at}.content.text`, 'a string');
  return part['text'];
}
