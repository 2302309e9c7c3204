import { entriesAt } from './answer-value.ts';
import { below, postJson, UnreadableAnswer, type GuardrailAdapter } from './guardrail-adapter.ts';
import { joinTexts } from './guardrail-question.ts';

/** Told, and no reason to refuse. */
const informational = new Set(['bias', 'sponge_attack']);

/** Enkrypt AI, by a policy that is kept there. */
export const enkryptai: GuardrailAdapter<'enkryptai'> = {
  maxCharacters: 30_000,

  buildRequests: ({ config, credentials }, question) => [
    postJson(
      below(config.base_url, 'guardrails/policy/detect'),
      { text: joinTexts(question) },
      { apikey: credentials.api_key, 'x-enkrypt-policy': config.policy },
    ),
  ],

  readAnswer(_access, answer) {
    const detectors = entriesAt(answer, 'summary');
    if (detectors.length === 0) throw new UnreadableAnswer('The answer has no summary');
    const scores = Object.fromEntries(detectors.map(([name, value]) => [name, Number(isHit(name, value))]));
    const categories = detectors.flatMap(([name, value]) =>
      isHit(name, value) && !informational.has(name) ? [name] : [],
    );
    return {
      flagged: categories.length > 0,
      categories,
      scores,
      confidence: null,
      rationale: null,
      tokens: null,
    };
  },
};

/** 1 or a list of what was found is a hit; of the topic it is 0, since the summary says whether it was kept. */
function isHit(name: string, value: unknown): boolean {
  if (name === 'on_topic') return value === 0 || value === false;
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (typeof value === 'number' && value > 0);
}
