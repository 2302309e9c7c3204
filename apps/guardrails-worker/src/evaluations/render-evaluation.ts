import type {
  Evaluation,
  EvaluationEstimate,
  EvaluationScores,
  EvaluationState,
  EvaluationStatus,
} from '@portcullis/contracts/evaluation';
import type { EvaluationCategory } from '@portcullis/contracts/evaluation-case';
import type { CountedEvaluation, ResultCounts } from './evaluation-queries.ts';

const completedOf = (counts: ResultCounts): number =>
  counts.passed + counts.failed + counts.false_positives + counts.errors + counts.inconclusive;

/** The progress of an evaluation, as the routes and `/ws` show it. */
export function renderStatus(row: CountedEvaluation, nowMs = Date.now()): EvaluationStatus {
  const { passed, failed, errors, inconclusive, false_positives } = row;
  return {
    id: row.id,
    // What was stored had passed the constraint of the table.
    status: row.status as EvaluationState,
    total_tests: row.total_tests,
    completed: completedOf(row),
    passed,
    failed,
    errors,
    inconclusive,
    false_positives,
    cancel_requested: row.cancel_requested_at !== null,
    reason: row.reason,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    remaining_ms: remainingMs(row, nowMs),
  };
}

function remainingMs(row: CountedEvaluation, nowMs: number): number | null {
  if (row.status !== 'running') return null;
  const completed = completedOf(row);
  if (completed === 0) return (row.estimate as unknown as EvaluationEstimate).duration_ms;
  const elapsedMs = Math.max(0, nowMs - row.started_at.getTime());
  return Math.round((elapsedMs / completed) * (row.total_tests - completed));
}

export const renderEvaluation = (row: CountedEvaluation): Evaluation => ({
  ...renderStatus(row),
  name: row.name,
  endpoint_id: row.endpoint_id,
  guardrail_provider_id: row.guardrail_provider_id,
  target_name: row.target_name,
  judge_endpoint_id: row.judge_endpoint_id,
  categories: row.categories as EvaluationCategory[],
  concurrency: row.concurrency,
  delay_ms: row.delay_ms,
  suite_version: row.suite_version,
  estimate: row.estimate as unknown as EvaluationEstimate,
  scores: row.scores as EvaluationScores | null,
  started_by: row.started_by,
});
