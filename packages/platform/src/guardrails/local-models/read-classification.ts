import type { GuardrailConfig } from '@portcullis/contracts/guardrail-config';
import { shareOf } from '../adapters/answer-value.ts';
import { UnreadableAnswer, type GuardrailResult } from '../adapters/guardrail-adapter.ts';
import type { Classification } from './classifier-question.ts';
import { findAttackLabels } from './read-labels.ts';

/** What a model's figures come to: the window that is most like an attack speaks for the whole. */
export function readClassification(
  { threshold, attack_labels: wanted }: GuardrailConfig<'local-model'>,
  { labels, windows, exclusive, tokens }: Classification,
): GuardrailResult {
  const attacks = findAttackLabels(labels, wanted);
  let score = 0;
  let named: string | undefined;
  for (const shares of windows) {
    const figures = attacks.map((place) => shares[place]);
    if (!figures.every((figure) => figure !== undefined && Number.isFinite(figure)))
      throw new UnreadableAnswer('The model answered with figures that are none');
    const known = figures as number[];
    // Rounding of the shares must not take the sum over 1.
    const own = shareOf(exclusive ? known.reduce((sum, figure) => sum + figure, 0) : Math.max(...known));
    if (own < score || (named !== undefined && own === score)) continue;
    score = own;
    named = labels[attacks[known.indexOf(Math.max(...known))] ?? 0];
  }
  const flagged = windows.length > 0 && score >= threshold;
  return {
    flagged,
    categories: flagged && named !== undefined ? [named] : [],
    scores: Object.fromEntries(attacks.map((place) => [labels[place] ?? '', highest(windows, place)])),
    confidence: flagged ? score : null,
    rationale: null,
    tokens,
  };
}

const highest = (windows: Classification['windows'], place: number): number =>
  shareOf(Math.max(0, ...windows.map((shares) => shares[place] ?? 0)));
