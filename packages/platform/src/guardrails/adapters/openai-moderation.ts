import { below, bearer, postJson, UnreadableAnswer, type GuardrailAdapter } from './guardrail-adapter.ts';
import { joinTexts } from './guardrail-question.ts';
import { entriesAt, highestScore, propertyOf, sharesAt } from './answer-value.ts';

/** `POST /moderations` as OpenAI has it, and what is compatible with it. */
export const openaiModeration: GuardrailAdapter<'openai_moderation'> = {
  maxCharacters: 30_000,

  buildRequests: ({ config, credentials }, question) => [
    postJson(
      below(config.base_url, 'moderations'),
      { model: config.model, input: joinTexts(question) },
      bearer(credentials.api_key),
    ),
  ],

  readAnswer(_access, answer) {
    const result = propertyOf(propertyOf(answer, 'results'), '0');
    const flagged = propertyOf(result, 'flagged');
    if (typeof flagged !== 'boolean') throw new UnreadableAnswer('The answer has no results[0].flagged');
    const categories = entriesAt(result, 'categories').flatMap(([name, value]) => (value === true ? [name] : []));
    const scores = sharesAt(result, 'category_scores');
    return {
      flagged,
      categories,
      scores,
      confidence: flagged ? highestScore(scores, categories) : null,
      rationale: null,
      tokens: null,
    };
  },
};
