import { geminiDialect } from './gemini-dialect.ts';
import { isObject } from './is-object.ts';
import { InvalidQuestion, type LlmDialect, type LlmReply } from './llm-dialect.ts';

/** Interactions: https://ai.google.dev/api/interactions-api, with the events of the revision of May 2026. */
export const geminiInteractionsDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body)) throw new InvalidQuestion('Invalid JSON payload received.');
    const { model, input, system_instruction: system = '', stream } = body;
    if (typeof model !== 'string') throw new InvalidQuestion('One of model and agent is required.');
    if (typeof system !== 'string') throw new InvalidQuestion('Invalid value at system_instruction');
    const texts = typeof input === 'string' ? [input] : (Array.isArray(input) ? input : []).map(readStep);
    if (texts.length === 0) throw new InvalidQuestion('input is required.');
    return {
      model,
      prompt: texts.at(-1) ?? '',
      input: [system, ...texts].join('\n'),
      stream: stream === true,
      streamUsage: true,
      tools: [],
      results: [],
      body,
      path,
    };
  },

  renderReply: (reply) => ({
    ...renderInteraction(reply, 'completed'),
    steps: [{ type: 'model_output', content: [{ type: 'text', text: reply.pieces.join('') }] }],
    usage: renderUsage(reply),
  }),

  renderStream: (reply) => ({
    head: [
      event('interaction.created', { interaction: renderInteraction(reply, 'in_progress') }),
      event('step.start', { index: 0, step: { type: 'model_output' } }),
    ].join(''),
    pieces: reply.pieces.map((text) => event('step.delta', { index: 0, delta: { type: 'text', text } })),
    tail: [
      event('step.stop', { index: 0 }),
      event('interaction.completed', {
        interaction: { ...renderInteraction(reply, 'completed'), usage: renderUsage(reply) },
      }),
      'event: done\ndata: [DONE]\n\n',
    ].join(''),
  }),

  renderError: geminiDialect.renderError,
};

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ event_type: type, ...fields })}\n\n`;

const renderInteraction = ({ model, number }: LlmReply, status: string) => ({
  id: `v1_peer_${number}`,
  model,
  status,
  object: 'interaction',
  created: '2026-01-01T00:00:00Z',
});

/** Thoughts are counted beside the output. */
const renderUsage = ({ inputTokens, outputTokens }: LlmReply) => ({
  total_input_tokens: inputTokens,
  input_tokens_by_modality: [{ modality: 'text', tokens: inputTokens }],
  total_cached_tokens: 0,
  total_output_tokens: outputTokens,
  total_thought_tokens: 0,
  total_tool_use_tokens: 0,
  total_tokens: inputTokens + outputTokens,
});

function readStep(step: unknown): string {
  const content = isObject(step) ? (step['content'] ?? [step]) : [];
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? content : [])
    .map((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}
