import { anthropicDialect } from './anthropic-dialect.ts';
import { renderAwsError, modelIn as bedrockModelIn } from './bedrock-error.ts';
import { eventStreamType, renderChunk } from './event-stream-frame.ts';
import { isObject } from './is-object.ts';
import { InvalidQuestion, type LlmDialect } from './llm-dialect.ts';

const parseClaude = (
  body: unknown,
  {
    path,
    model,
    stream,
    version,
  }: { readonly path: string; readonly model: string; readonly stream: boolean; readonly version: string },
) => {
  if (!isObject(body)) throw new InvalidQuestion('The request body is not valid JSON');
  if (body['anthropic_version'] !== version) throw new InvalidQuestion(`anthropic_version: ${version} is required`);
  if (body['model'] !== undefined) throw new InvalidQuestion('model: Extra inputs are not permitted');
  const { anthropic_version: _version, ...rest } = body;
  const headers = { 'anthropic-version': '2023-06-01' };
  return { ...anthropicDialect.parse({ ...rest, model, stream }, headers, path), body };
};

/** Claude on Vertex AI: https://docs.anthropic.com/en/api/claude-on-vertex-ai. The path names the model and says whether it streams. */
export const vertexClaudeDialect: LlmDialect = {
  ...anthropicDialect,
  parse: (body, _headers, path) =>
    parseClaude(body, {
      path,
      model: (/\/models\/([^/:]+):/.exec(path)?.[1] ?? '').replace('@', '-'),
      stream: path.includes(':streamRawPredict'),
      version: 'vertex-2023-10-16',
    }),
};

/** What stands in the data of events. */
const dataOf = (frames: string | Buffer): readonly object[] =>
  Array.from(frames.toString().matchAll(/^data: (.*)$/gm), ([, json = '']) => JSON.parse(json) as object);

/**
 * Claude on Bedrock: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html. Its
 * events come in chunks, the last of them with Bedrock's own count.
 */
export const bedrockClaudeDialect: LlmDialect = {
  ...anthropicDialect,
  parse: (body, _headers, path) =>
    parseClaude(body, {
      path,
      model: bedrockModelIn(path),
      stream: path.endsWith('/invoke-with-response-stream'),
      version: 'bedrock-2023-05-31',
    }),
  renderStream(reply, question) {
    const { head, pieces, tail } = anthropicDialect.renderStream(reply, question);
    const metrics = { inputTokenCount: reply.inputTokens, outputTokenCount: reply.outputTokens };
    const [last, ...before] = dataOf(tail).toReversed();
    return {
      head: Buffer.concat(dataOf(head).map(renderChunk)),
      pieces: pieces.map((piece) => Buffer.concat(dataOf(piece).map(renderChunk))),
      tail: Buffer.concat(
        [...before.toReversed(), { ...last, 'amazon-bedrock-invocationMetrics': metrics }].map(renderChunk),
      ),
      contentType: eventStreamType,
    };
  },
  renderError: renderAwsError,
};
