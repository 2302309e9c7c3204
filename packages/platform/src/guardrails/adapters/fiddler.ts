import type { GuardrailConfig } from '@portcullis/contracts/guardrail-config';
import { entriesAt, highestScore, listAt, numberAt, propertyOf, sharesAt, shareOf, textAt } from './answer-value.ts';
import {
  bearer,
  below,
  postJson,
  UnreadableAnswer,
  type GuardrailAdapter,
  type GuardrailResult,
} from './guardrail-adapter.ts';
import { joinTexts } from './guardrail-question.ts';

type Config = GuardrailConfig<'fiddler'>;

const prefix = 'fdl_';
const found = 'fdl_sensitive_information_scores';

/** Fiddler's models for safety and for personal data, asked side by side. */
export const fiddler: GuardrailAdapter<'fiddler'> = {
  // The models take 4,096 tokens, and refuse more.
  maxCharacters: 8_000,

  buildRequests({ config, credentials }, question) {
    const input = joinTexts(question);
    const ask = (model: string, data: object) =>
      postJson(below(config.base_url, `v3/guardrails/${model}`), { data }, bearer(credentials.api_key));
    return [
      ask('ftl-safety', { input }),
      ...(config.personal_data ? [ask('sensitive-information', { input, entity_categories: 'PII' })] : []),
    ];
  },

  readAnswer({ config }, answer) {
    if (Array.isArray(propertyOf(answer, found))) return readPersonalData(config, answer);
    const named = entriesAt({ answer }, 'answer').filter(([name]) => name.startsWith(prefix));
    const scores = sharesAt(
      { named: Object.fromEntries(named.map(([name, v]) => [name.slice(prefix.length), v])) },
      'named',
    );
    if (Object.keys(scores).length === 0) throw new UnreadableAnswer(`The answer has no scores named ${prefix}`);
    return readScores(scores, config.threshold);
  },
};

/** The highest of each kind; what it stood for in the text is not read. */
function readPersonalData({ personal_data_threshold: threshold }: Config, answer: unknown): GuardrailResult {
  const scores: Record<string, number> = {};
  for (const entity of listAt(answer, found)) {
    const name = `pii:${textAt(entity, 'label') ?? 'unknown'}`;
    scores[name] = Math.max(shareOf(numberAt(entity, 'score') ?? 1), scores[name] ?? 0);
  }
  return readScores(scores, threshold);
}

function readScores(scores: Readonly<Record<string, number>>, threshold: number): GuardrailResult {
  const categories = Object.keys(scores).filter((name) => (scores[name] ?? 0) >= threshold);
  return {
    flagged: categories.length > 0,
    categories,
    scores,
    confidence: highestScore(scores, categories),
    rationale: null,
    tokens: null,
  };
}
