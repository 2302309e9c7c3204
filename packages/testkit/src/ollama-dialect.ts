import { isObject } from './is-object.ts';
import { InvalidQuestion, parseFunction, type LlmDialect, type LlmReply } from './llm-dialect.ts';

const lines = 'application/x-ndjson';

const head = ({ model }: LlmReply) => ({ model, created_at: '2026-01-01T00:00:00.000000Z' });

/** Told with the last line only. Durations are in nanoseconds. https://docs.ollama.com/api/usage */
const ending = ({ inputTokens, outputTokens }: LlmReply) => ({
  done: true,
  done_reason: 'stop',
  total_duration: 5_000_000,
  load_duration: 1_000_000,
  prompt_eval_count: inputTokens,
  prompt_eval_duration: 1_000_000,
  eval_count: outputTokens,
  eval_duration: 3_000_000,
});

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const renderError = (_status: number, message: string) => ({ error: message });

/** https://docs.ollama.com/api/chat: it streams unless it is told not to. */
export const ollamaChatDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body) || typeof body['model'] !== 'string') throw new InvalidQuestion('model is required');
    const { model, messages = [], tools = [], stream } = body;
    if (!Array.isArray(messages)) throw new InvalidQuestion('json: cannot unmarshal into messages');
    const turns = messages.map((message: unknown) => {
      if (!isObject(message) || typeof message['role'] !== 'string') throw new InvalidQuestion('invalid message role');
      const { role, content = '' } = message;
      if (typeof content !== 'string') throw new InvalidQuestion('json: cannot unmarshal into content of type string');
      return { role, content };
    });
    return {
      model,
      prompt: turns.findLast(({ role }) => role === 'user')?.content ?? '',
      input: turns.map(({ content }) => content).join('\n'),
      stream: stream !== false,
      streamUsage: true,
      tools: (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) =>
        isObject(tool) && isObject(tool['function'])
          ? [parseFunction(tool['function'], tool['function']['parameters'])]
          : [],
      ),
      results: turns.filter(({ role }) => role === 'tool').map(({ content }) => content),
      body,
      path,
    };
  },

  renderReply: (reply) => ({ ...head(reply), message: renderMessage(reply, reply.pieces.join('')), ...ending(reply) }),
  renderStream: (reply) => ({
    head: '',
    pieces:
      reply.call === undefined
        ? reply.pieces.map((text) => line({ ...head(reply), message: renderMessage(reply, text), done: false }))
        : [line({ ...head(reply), message: renderMessage(reply, ''), done: false })],
    tail: line({ ...head(reply), message: { role: 'assistant', content: '' }, ...ending(reply) }),
    contentType: lines,
  }),
  renderError,
};

const renderMessage = ({ call }: LlmReply, content: string) =>
  call === undefined
    ? { role: 'assistant', content }
    : {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: call.name, arguments: call.arguments } }],
      };

/** https://docs.ollama.com/api/generate. A raw prompt goes to the model without a system prompt. */
export const ollamaGenerateDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body) || typeof body['model'] !== 'string') throw new InvalidQuestion('model is required');
    const { model, prompt = '', system = '', raw, stream } = body;
    if (typeof prompt !== 'string' || typeof system !== 'string') throw new InvalidQuestion('json: cannot unmarshal');
    return {
      model,
      prompt,
      input: raw === true ? prompt : `${system}\n${prompt}`,
      stream: stream !== false,
      streamUsage: true,
      tools: [],
      results: [],
      body,
      path,
    };
  },

  renderReply: (reply) => ({ ...head(reply), response: reply.pieces.join(''), ...ending(reply), context: [1, 2, 3] }),
  renderStream: (reply) => ({
    head: '',
    pieces: reply.pieces.map((response) => line({ ...head(reply), response, done: false })),
    tail: line({ ...head(reply), response: '', ...ending(reply), context: [1, 2, 3] }),
    contentType: lines,
  }),
  renderError,
};
