import { modelIn, renderAwsError } from './bedrock-error.ts';
import { eventStreamType, renderEvent } from './event-stream-frame.ts';
import { isObject } from './is-object.ts';
import { InvalidQuestion, parseFunction, type LlmDialect, type LlmReply, type OfferedTool } from './llm-dialect.ts';

const fields = new Set([
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'guardrailConfig',
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'promptVariables',
  'requestMetadata',
  'performanceConfig',
  'serviceTier',
  'outputConfig',
]);

/** Converse and ConverseStream: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const bedrockConverseDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body)) throw new InvalidQuestion('Malformed input request');
    const strange = Object.keys(body).find((name) => !fields.has(name));
    if (strange !== undefined) throw new InvalidQuestion(`Malformed input request: extraneous key [${strange}]`);
    const { messages, system = [] } = body;
    if (!Array.isArray(messages) || messages.length === 0) throw new InvalidQuestion('messages: a list is required');
    if (!Array.isArray(system)) throw new InvalidQuestion('system: a list of blocks is expected');
    const turns = messages.map(parseMessage);
    const blocks = system.map((block: unknown) => readBlock(block));
    return {
      model: modelIn(path),
      prompt: turns.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? '',
      input: [...blocks, ...turns.map(({ text }) => text)].join('\n'),
      stream: path.endsWith('/converse-stream'),
      streamUsage: true,
      tools: parseTools(body['toolConfig']),
      results: turns.flatMap(({ results }) => results),
      body,
      path,
    };
  },

  renderReply: (reply) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          reply.call === undefined
            ? { text: reply.pieces.join('') }
            : { toolUse: { ...renderCall(reply.call.name, reply), input: reply.call.arguments } },
        ],
      },
    },
    stopReason: stopReason(reply),
    usage: renderUsage(reply),
    metrics: { latencyMs: 1 },
  }),

  renderStream(reply) {
    const { call } = reply;
    const start =
      call === undefined
        ? []
        : [
            renderEvent('contentBlockStart', {
              contentBlockIndex: 0,
              start: { toolUse: renderCall(call.name, reply) },
            }),
          ];
    return {
      head: Buffer.concat([renderEvent('messageStart', { role: 'assistant' }), ...start]),
      pieces: reply.pieces.map((text) =>
        renderEvent('contentBlockDelta', {
          contentBlockIndex: 0,
          delta: call === undefined ? { text } : { toolUse: { input: text } },
        }),
      ),
      tail: Buffer.concat([
        renderEvent('contentBlockStop', { contentBlockIndex: 0 }),
        renderEvent('messageStop', { stopReason: stopReason(reply) }),
        renderEvent('metadata', { usage: renderUsage(reply), metrics: { latencyMs: 1 } }),
      ]),
      contentType: eventStreamType,
    };
  },

  renderError: renderAwsError,
};

const renderCall = (name: string, { number }: LlmReply) => ({ toolUseId: `tooluse_peer_${number}`, name });
const stopReason = ({ call }: LlmReply): string => (call === undefined ? 'end_turn' : 'tool_use');

/** Nothing of it was in a cache: what is, stands beside the input. */
const renderUsage = ({ inputTokens, outputTokens }: LlmReply) => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  cacheReadInputTokens: 0,
  cacheWriteInputTokens: 0,
});

function readBlock(block: unknown): string {
  if (!isObject(block)) throw new InvalidQuestion('A content block must be an object');
  if (block['type'] !== undefined) throw new InvalidQuestion('Malformed input request: extraneous key [type]');
  return typeof block['text'] === 'string' ? block['text'] : '';
}

function parseMessage(message: unknown) {
  if (!isObject(message) || !Array.isArray(message['content']))
    throw new InvalidQuestion('content: a list is required');
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant')
    throw new InvalidQuestion(`role: ${String(role)} is not one of [user, assistant]`);
  const results = content.flatMap((block: unknown) =>
    isObject(block) && isObject(block['toolResult']) && Array.isArray(block['toolResult']['content'])
      ? [block['toolResult']['content'].map(readBlock).join('')]
      : [],
  );
  return { role, text: content.map(readBlock).join(''), results };
}

function parseTools(config: unknown): readonly OfferedTool[] {
  const tools = isObject(config) && Array.isArray(config['tools']) ? config['tools'] : [];
  return tools.flatMap((tool: unknown) => {
    const spec = isObject(tool) ? tool['toolSpec'] : undefined;
    const schema = isObject(spec) && isObject(spec['inputSchema']) ? spec['inputSchema']['json'] : undefined;
    return isObject(spec) ? [parseFunction(spec, schema)] : [];
  });
}
