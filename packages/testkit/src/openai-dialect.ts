import { isObject } from './is-object.ts';
import {
  imageMark,
  InvalidQuestion,
  parseFunction,
  type LlmDialect,
  type LlmReply,
  type OfferedTool,
} from './llm-dialect.ts';
import { invalidType, renderOpenaiError } from './openai-error.ts';

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

/** Chat completions: https://platform.openai.com/docs/api-reference/chat */
export const openaiDialect: LlmDialect = {
  parse(body, _headers, path) {
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

    const tools = parseTools(body['tools']);
    const texts = messages.map(parseMessage);
    return {
      model,
      prompt: texts.findLast(({ role }) => role === 'user')?.text ?? '',
      input: texts.map(({ text }) => text).join('\n'),
      stream: stream === true,
      streamUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
      tools,
      results: texts.filter(({ role }) => role === 'tool').map(({ text }) => text),
      body,
      path,
    };
  },

  renderReply: (reply) => ({
    ...envelope('chat.completion', reply),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', ...renderMessage(reply), refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: reply.call === undefined ? 'stop' : 'tool_calls',
      },
    ],
    usage: renderUsage(reply),
  }),

  renderStream(reply, { streamUsage }) {
    const frame = (choices: readonly unknown[], usage: unknown = null) =>
      `data: ${JSON.stringify({ ...envelope('chat.completion.chunk', reply), choices, ...(streamUsage && { usage }) })}\n\n`;
    const delta = (content: unknown, finishReason: string | null = null) =>
      frame([{ index: 0, delta: content, logprobs: null, finish_reason: finishReason }]);
    const { call } = reply;
    const head =
      call === undefined
        ? { content: '' }
        : { content: null, tool_calls: [{ index: 0, ...renderCall(call.name, '', reply) }] };
    return {
      head: delta({ role: 'assistant', ...head, refusal: null }),
      pieces: reply.pieces.map((text) =>
        delta(call === undefined ? { content: text } : { tool_calls: [{ index: 0, function: { arguments: text } }] }),
      ),
      tail: `${delta({}, call === undefined ? 'stop' : 'tool_calls')}${streamUsage ? frame([], renderUsage(reply)) : ''}data: [DONE]\n\n`,
    };
  },

  renderError: renderOpenaiError,
};

const renderCall = (name: string, argumentsText: string, { number }: LlmReply) => ({
  id: `call_peer_${number}`,
  type: 'function',
  function: { name, arguments: argumentsText },
});

const renderMessage = (reply: LlmReply) =>
  reply.call === undefined
    ? { content: reply.pieces.join('') }
    : { content: null, tool_calls: [renderCall(reply.call.name, reply.pieces.join(''), reply)] };

const envelope = (object: string, { model, number }: LlmReply) => ({
  id: `chatcmpl-peer-${number}`,
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

function parseTools(tools: unknown): readonly OfferedTool[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) throw invalidType('tools', 'an array of objects');
  return tools.map((tool: unknown, index) => {
    const at = `tools[${index}]`;
    if (!isObject(tool) || tool['type'] !== 'function')
      throw new InvalidQuestion(`Invalid value: '${at}.type'.`, `${at}.type`);
    const { function: offered } = tool;
    if (!isObject(offered) || typeof offered['name'] !== 'string') {
      throw new InvalidQuestion(`Missing required parameter: '${at}.function.name'.`, `${at}.function.name`);
    }
    return parseFunction(offered, offered['parameters']);
  });
}

function parseMessage(message: unknown, index: number): { readonly role: string; readonly text: string } {
  const at = `messages[${index}]`;
  if (!isObject(message)) throw invalidType(at, 'an object');
  const { role, content } = message;
  if (typeof role !== 'string') throw new InvalidQuestion(`Missing required parameter: '${at}.role'.`, `${at}.role`);
  if (!roles.includes(role)) {
    throw new InvalidQuestion(`Invalid value: '${role}'. Supported values are: ${roles.join(', ')}.`, `${at}.role`);
  }
  if (role === 'tool' && typeof message['tool_call_id'] !== 'string') {
    throw new InvalidQuestion(`Missing required parameter: '${at}.tool_call_id'.`, `${at}.tool_call_id`);
  }
  if (typeof content === 'string') return { role, text: content };
  if (Array.isArray(content)) return { role, text: content.map((part) => parsePart(part, at)).join('') };
  if ((content === null || content === undefined) && role === 'assistant') return { role, text: '' };
  throw invalidType(`${at}.content`, 'one of a string or array of objects');
}

function parsePart(part: unknown, at: string): string {
  if (!isObject(part) || typeof part['type'] !== 'string') throw invalidType(`${at}.content`, 'objects with a type');
  const { image_url: image } = part;
  if (part['type'] === 'image_url') {
    if (!isObject(image) || typeof image['url'] !== 'string' || !/^(?:https:|data:image\/)/.test(image['url'])) {
      throw new InvalidQuestion(`Invalid '${at}.content.image_url'. Expected a base64-encoded data URL or a URL.`, at);
    }
    return imageMark;
  }
  if (part['type'] !== 'text') return '';
  if (typeof part['text'] !== 'string') throw invalidType(`${at}.content.text`, 'a string');
  return part['text'];
}
