import type { EvaluationScores } from '@portcullis/contracts/evaluation';
import type { EvaluationScore } from '@portcullis/core/evaluation/score/evaluation-score';
import type { ScoredResult } from '@portcullis/core/evaluation/score/result';
import { scoreEvaluation } from '@portcullis/core/evaluation/score/score-evaluation';

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

/** Null where the results are no base for a score. */
export function renderScores(score: EvaluationScore): EvaluationScores | null {
  const { state, band, reasons } = score.rating;
  if (state === 'failed') return null;
  return {
    risk_score: score.riskScore,
    owasp_score: score.owasp.score,
    nist_score: score.nist.score,
    pass_rate: score.passRate,
    over_refusal_rate: score.overRefusalRate,
    rating: { state, band, reasons: [...reasons] },
  };
}
