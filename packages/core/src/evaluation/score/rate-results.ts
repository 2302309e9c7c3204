import type { EvaluationScore } from './evaluation-score.ts';
import type { ScoredResult } from './result.ts';
import { scoreEvaluation } from './score-evaluation.ts';

/**
 * The scores of an evaluation from the results that it has. One that has not all of them gets no band, however well it went until
 * then.
 */
export function rateResults(results: readonly ScoredResult[], totalTests: number): EvaluationScore {
  const score = scoreEvaluation(results);
  if (results.length === totalTests || score.rating.state === 'failed') return score;
  const reason = `Only ${results.length} of ${totalTests} cases were run`;
  return { ...score, rating: { state: 'inconclusive', band: null, reasons: [reason, ...score.rating.reasons] } };
}
