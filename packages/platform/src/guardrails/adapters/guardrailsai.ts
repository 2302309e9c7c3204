import { propertyOf } from './answer-value.ts';
import { bearer, below, postJson, UnreadableAnswer, type GuardrailAdapter } from './guardrail-adapter.ts';
import { joinTexts } from './guardrail-question.ts';

/** The server tells no figures; a validator that failed is believed this much. */
const confidence = 0.9;

/** A Guardrails AI server of one's own, by one of its guards. */
export const guardrailsai: GuardrailAdapter<'guardrailsai'> = {
  maxCharacters: 30_000,

  buildRequests: ({ config, credentials }, question) => [
    {
      ...postJson(
        below(config.base_url, `guards/${encodeURIComponent(config.guard)}/validate`),
        { llmOutput: joinTexts(question) },
        bearer(credentials.api_key),
      ),
      // A guard whose validators raise says no with a status.
      answers: new Map([[400, { validationPassed: false }]]),
    },
  ],

  readAnswer({ config }, answer) {
    const passed = propertyOf(answer, 'validationPassed') ?? propertyOf(answer, 'validation_passed');
    if (typeof passed !== 'boolean') throw new UnreadableAnswer('The answer has no validationPassed');
    return {
      flagged: !passed,
      categories: passed ? [] : [config.guard],
      scores: { [config.guard]: passed ? 0 : confidence },
      confidence: passed ? null : confidence,
      rationale: null,
      tokens: null,
    };
  },
};
