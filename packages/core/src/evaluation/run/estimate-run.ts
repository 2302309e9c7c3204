import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import { renderCase } from '../suite/render-case.ts';
import { answerTokens } from './examine-case.ts';
import { requestsOf } from './next-messages.ts';

export interface RunSettings {
  readonly concurrency: number;
  readonly delayMs: number;
  /** What a request takes on average, for example as the connection test measured it. */
  readonly requestMs: number;
  /** Micro-USD for a million tokens; null where no price is known. */
  readonly price: { readonly input: number; readonly output: number } | null;
}

export interface RunEstimate {
  readonly cases: number;
  readonly requests: number;
  readonly inputTokens: number;
  /** At most: most answers are shorter. */
  readonly outputTokens: number;
  readonly durationMs: number;
  /** At most; null where no price is known. */
  readonly costMicroUsd: number | null;
}

/** English text; other languages take more. */
const charactersPerToken = 4;
const tokensPerMessage = 6;
/** In a conversation of several turns, answers of this length are sent back. */
const usualAnswer = 250;

/** What a run comes to before it is started. */
export function estimateRun(cases: readonly EvaluationCase[], settings: RunSettings): RunEstimate {
  let requests = 0;
  let inputTokens = 0;
  for (const testCase of cases) {
    const rendered = renderCase(testCase, 'estimate');
    const own = requestsOf(rendered);
    const characters = rendered.turns.reduce((sum, { content }) => sum + content.length, rendered.system.length);
    const messages = rendered.turns.length + 1;
    // Each request sends all that was said before it.
    inputTokens += Math.ceil(
      own * (characters / charactersPerToken + messages * tokensPerMessage) + (usualAnswer * own * (own - 1)) / 2,
    );
    requests += own;
  }
  const { concurrency, delayMs, requestMs, price } = settings;
  const outputTokens = requests * answerTokens;
  return {
    cases: cases.length,
    requests,
    inputTokens,
    outputTokens,
    durationMs: Math.ceil((requests / Math.max(1, concurrency)) * (requestMs + delayMs)),
    costMicroUsd: price === null ? null : Math.ceil((inputTokens * price.input + outputTokens * price.output) / 1e6),
  };
}
