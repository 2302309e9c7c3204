import type { EvaluationScores } from '@portcullis/contracts/evaluation';
import type { EvaluationScore } from '@portcullis/core/evaluation/score/evaluation-score';

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
