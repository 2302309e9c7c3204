import { listAt, highestScore, propertyOf, textAt } from './answer-value.ts';
import { below, bearer, postJson, UnreadableAnswer, type GuardrailAdapter } from './guardrail-adapter.ts';

/** Lakera Guard, version 2. What is detected how strictly is up to its project. */
export const lakera: GuardrailAdapter<'lakera'> = {
  maxCharacters: 50_000,

  buildRequests: ({ config, credentials }, { messages }) => [
    postJson(
      below(config.base_url, 'guard'),
      {
        messages: messages.map(({ role, text }) => ({ role, content: text })),
        ...(config.project_id !== '' && { project_id: config.project_id }),
        breakdown: true,
      },
      bearer(credentials.api_key),
    ),
  ],

  readAnswer(_access, answer) {
    const flagged = propertyOf(answer, 'flagged');
    if (typeof flagged !== 'boolean') throw new UnreadableAnswer('The answer has no flagged');
    const scores: Record<string, number> = {};
    const categories = new Set<string>();
    let hasLevel = false;
    for (const detector of listAt(answer, 'breakdown')) {
      const type = textAt(detector, 'detector_type') ?? 'unknown';
      const detected = propertyOf(detector, 'detected') === true;
      if (detected) categories.add(type);
      const level = /^l([1-5])/i.exec(textAt(detector, 'confidence') ?? textAt(detector, 'result') ?? '')?.[1];
      hasLevel ||= level !== undefined;
      const score = level === undefined ? Number(detected) : shareOfLevel(Number(level));
      scores[type] = Math.max(score, scores[type] ?? 0);
    }
    const names = flagged ? [...categories] : [];
    return {
      flagged,
      categories: names,
      scores,
      confidence: flagged && hasLevel ? highestScore(scores, names) : null,
      rationale: null,
      tokens: null,
    };
  },
};

/** From 1, confident, to 5, unlikely. */
const shareOfLevel = (level: number): number => (6 - level) / 5;
