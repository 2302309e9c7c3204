import { rateResults } from '@portcullis/core/evaluation/score/rate-results';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { renderScores } from '../results/render-scores.ts';
import { loadReportResults } from '../results/result-queries.ts';
import type { EvaluationRow } from './evaluation-queries.ts';

/**
 * Ends an evaluation whose row is locked. Where its results are no base for a score it has failed, with the reason; one that was
 * cancelled stays cancelled whatever they are.
 * @param failure why it cannot go on
 */
export async function finishEvaluation(transaction: Queryable, row: EvaluationRow, failure?: string): Promise<void> {
  const score = rateResults(await loadReportResults(transaction, row.id), row.total_tests);
  const scores = renderScores(score);
  const hasFailed = failure !== undefined || score.rating.state === 'failed';
  const status = row.cancel_requested_at !== null ? 'cancelled' : hasFailed ? 'failed' : 'completed';
  await transaction.kysely
    .updateTable('guardrail_evaluations')
    .set({
      status,
      reason: status === 'failed' ? (failure ?? score.rating.reasons.join('; ')) : null,
      scores: scores === null || status === 'failed' ? null : JSON.stringify(scores),
      finished_at: databaseNow,
      lease_token: null,
      lease_until: null,
    })
    .where('id', '=', row.id)
    .execute();
}
