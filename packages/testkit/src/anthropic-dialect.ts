import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from './is-object.ts';
import {
  imageMark,
  InvalidQuestion,
  parseFunction,
  type LlmDialect,
  type LlmReply,
  type OfferedTool,
} from './llm-dialect.ts';

/** Messages: https://docs.anthropic.com/en/api/messages */
export const anthropicDialect: LlmDialect = {
  parse(body, headers, path) {
    if (headers['anthropic-version'] === undefined) throw new InvalidQuestion('anthropic-version: header is required');
    if (!isObject(body)) throw new InvalidQuestion('The request body is not valid JSON');
    const { model, messages, max_tokens: maxTokens, stream, system } = body;

    for (const name of ['model', 'max_tokens', 'messages']) {
      if (body[name] === undefined) throw new InvalidQuestion(`${name}: Field required`);
    }
    if (typeof model !== 'string') throw new InvalidQuestion('model: Input should be a valid string');
    if (!Number.isInteger(maxTokens)) throw new InvalidQuestion('max_tokens: Input should be a valid integer');
    if (Number(maxTokens) < 1) throw new InvalidQuestion('max_tokens: Input should be greater than or equal to 1');
    if (!Array.isArray(messages)) throw new InvalidQuestion('messages: Input should be a valid list');
    if (messages.length === 0) throw new InvalidQuestion('messages: at least one message is required');
    if (stream !== undefined && typeof stream !== 'boolean') {
      throw new InvalidQuestion('stream: Input should be a valid boolean');
    }

    const tools = parseTools(body['tools']);
    const roles = findRoles(headers);
    const texts = messages.map((message: unknown, index) => parseMessage(message, index, roles));
    const systemText = system === undefined ? '' : parseContent(system, 'system');
    return {
      model,
      prompt: texts.findLast(({ role }) => role === 'user')?.text ?? '',
      input: [systemText, ...texts.map(({ text }) => text)].join('\n'),
      stream: stream === true,
      streamUsage: true,
      tools,
      results: findResults(messages),
      body,
      path,
    };
  },

  renderReply: (reply) => ({
    ...envelope(reply),
    content: [
      reply.call === undefined
        ? { type: 'text', text: reply.pieces.join('') }
        : { ...renderCall(reply.call.name, reply), input: reply.call.arguments },
    ],
    stop_reason: reply.call === undefined ? 'end_turn' : 'tool_use',
    usage: { input_tokens: reply.inputTokens, output_tokens: reply.outputTokens },
  }),

  renderStream: (reply) => ({
    head: [
      frame('message_start', {
        message: {
          ...envelope(reply),
          content: [],
          stop_reason: null,
          usage: { input_tokens: reply.inputTokens, output_tokens: 1 },
        },
      }),
      frame('content_block_start', {
        index: 0,
        content_block:
          reply.call === undefined ? { type: 'text', text: '' } : { ...renderCall(reply.call.name, reply), input: {} },
      }),
      frame('ping', {}),
    ].join(''),
    pieces: reply.pieces.map((text) =>
      frame('content_block_delta', {
        index: 0,
        delta:
          reply.call === undefined ? { type: 'text_delta', text } : { type: 'input_json_delta', partial_json: text },
      }),
    ),
    tail: [
      frame('content_block_stop', { index: 0 }),
      frame('message_delta', {
        delta: { stop_reason: reply.call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage: { output_tokens: reply.outputTokens },
      }),
      frame('message_stop', {}),
    ].join(''),
  }),

  renderError: (status, message) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'), message },
    request_id: 'req_peer',
  }),
};

const renderCall = (name: string, { number }: LlmReply) => ({
  type: 'tool_use',
  id: `toolu_peer_${number}`,
  name,
});

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const envelope = ({ model, number }: LlmReply) => ({
  id: `msg_peer_${number}`,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
});

const frame = (type: string, fields: Readonly<Record<string, unknown>>) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

function parseTools(tools: unknown): readonly OfferedTool[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) throw new InvalidQuestion('tools: Input should be a valid list');
  return tools.flatMap((tool: unknown, index) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string')
      throw new InvalidQuestion(`tools.${index}.name: Field required`);
    // Tools of the provider's own have a type and run where the model runs.
    if (tool['type'] !== undefined && tool['type'] !== 'custom') return [];
    if (!isObject(tool['input_schema'])) throw new InvalidQuestion(`tools.${index}.input_schema: Field required`);
    return [parseFunction(tool, tool['input_schema'])];
  });
}

const findResults = (messages: readonly unknown[]): readonly string[] =>
  messages
    .flatMap((message) => (isObject(message) && Array.isArray(message['content']) ? message['content'] : []))
    .filter((block: unknown) => isObject(block) && block['type'] === 'tool_result')
    .map((block, index) => parseBlock(block, `tool_result.${index}`));

/** Instructions in the middle of a conversation are a beta that callers ask for. */
const findRoles = (headers: IncomingHttpHeaders): readonly string[] =>
  String(headers['anthropic-beta']).includes('mid-conversation')
    ? ['user', 'assistant', 'system']
    : ['user', 'assistant'];

function parseMessage(
  message: unknown,
  index: number,
  roles: readonly string[],
): { readonly role: string; readonly text: string } {
  const at = `messages.${index}`;
  if (!isObject(message)) throw new InvalidQuestion(`${at}: Input should be a valid dictionary`);
  const { role, content } = message;
  if (typeof role !== 'string' || !roles.includes(role)) {
    throw new InvalidQuestion(`${at}.role: Input should be 'user' or 'assistant'`);
  }
  if (content === undefined) throw new InvalidQuestion(`${at}.content: Field required`);
  return { role, text: parseContent(content, `${at}.content`) };
}

function parseContent(content: unknown, at: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new InvalidQuestion(`${at}: Input should be a valid list`);
  return content.map((block: unknown, index) => parseBlock(block, `${at}.${index}`)).join('');
}

function parseBlock(block: unknown, at: string): string {
  if (!isObject(block) || typeof block['type'] !== 'string') throw new InvalidQuestion(`${at}.type: Field required`);
  const { type, text, source, tool_use_id: callId, content = '' } = block;
  if (type === 'tool_result') {
    if (typeof callId !== 'string') throw new InvalidQuestion(`${at}.tool_result.tool_use_id: Field required`);
    return parseContent(content, `${at}.tool_result.content`);
  }
  if (type === 'image') {
    if (!isObject(source)) throw new InvalidQuestion(`${at}.image.source: Field required`);
    const named = source['type'] === 'base64' ? source['data'] : source['url'];
    if (typeof named !== 'string') throw new InvalidQuestion(`${at}.image.source.data: Field required`);
    return imageMark;
  }
  if (type !== 'text') return '';
  if (typeof text !== 'string') throw new InvalidQuestion(`${at}.text: Field required`);
  return text;
}
