import { isObject } from './is-object.ts';
import { InvalidQuestion, type LlmDialect } from './llm-dialect.ts';
import { invalidType, renderOpenaiError } from './openai-error.ts';

const dimensions = 8;

/** Embeddings: https://platform.openai.com/docs/api-reference/embeddings */
export const openaiEmbeddingsDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body)) throw new InvalidQuestion('We could not parse the JSON body of your request.');
    const { model, encoding_format: encoding = 'float' } = body;
    if (typeof model !== 'string') throw new InvalidQuestion('you must provide a model parameter');
    const inputs = inputsOf(body);
    if (encoding !== 'float' && encoding !== 'base64') throw invalidType('encoding_format', "'float' or 'base64'");
    const text = inputs.join('\n');
    return { model, prompt: text, input: text, stream: false, streamUsage: false, tools: [], results: [], body, path };
  },

  renderReply: ({ model, inputTokens }, { body }) => ({
    object: 'list',
    model,
    data: inputsOf(body).map((text, index) => ({
      object: 'embedding',
      index,
      embedding: renderVector(text, body['encoding_format']),
    })),
    usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
  }),

  renderStream: () => ({ head: '', pieces: [], tail: '' }),
  renderError: renderOpenaiError,
};

function inputsOf({ input }: Readonly<Record<string, unknown>>): readonly string[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input) || input.length === 0) throw invalidType('input', 'a string or array of strings');
  return input.map(String);
}

/** The same for the same text: the codes of its first characters. */
function renderVector(text: string, encoding: unknown): unknown {
  const figures = Array.from({ length: dimensions }, (_, index) => (text.charCodeAt(index) || 0) / 65_536);
  return encoding === 'base64' ? Buffer.from(Float32Array.from(figures).buffer).toString('base64') : figures;
}
