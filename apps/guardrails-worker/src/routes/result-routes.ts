import { listEvaluationResults, reviewEvaluationResult } from '@portcullis/contracts/routes/evaluation-results';
import { rateResults } from '@portcullis/core/evaluation/score/rate-results';
import { audited } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { findEvaluationOrThrow, lockEvaluationOrThrow } from '../evaluations/evaluation-queries.ts';
import { nameOf } from './evaluation-routes.ts';
import { renderScores } from '../results/render-scores.ts';
import {
  findResult,
  loadReportResults,
  loadResultPage,
  renderResult,
  type ResultRow,
} from '../results/result-queries.ts';

export const resultRoutes = (database: Queryable): BoundRoute[] => [bindListResults(database), bindReview(database)];

const bindListResults = (database: Queryable): BoundRoute =>
  bind(listEvaluationResults, ({ params, query }) =>
    readConsistent(database, async (moment) => {
      await findEvaluationOrThrow(moment, params.id);
      const { rows, total } = await loadResultPage(moment, params.id, query);
      return { data: { results: rows.map(renderResult), total, limit: query.limit, offset: query.offset } };
    }),
  );

const bindReview = (database: Queryable): BoundRoute =>
  bind(reviewEvaluationResult, async (call) => {
    const { is_false_positive: isFalse, notes = '' } = call.body;
    if (isFalse && notes.trim() === '')
      throw new GatewayError('bad_request', {
        problems: [{ path: '/body/notes', rule: 'must say why the failure is a false positive' }],
      });
    const { after, score } = await audited(
      database,
      call,
      async (transaction) => {
        const before = await findFinishedOrThrow(transaction, call.params.id);
        // Reviews of one evaluation go one after the other, so that its scores are of all of them.
        const evaluation = await lockEvaluationOrThrow(transaction, before.evaluation_id);
        if (isFalse && before.outcome !== 'failed')
          throw new GatewayError('conflict', {
            message: `Only a failure can be a false positive; this result is ${before.outcome}`,
          });
        const after = await saveReview(transaction, before.id, isFalse, notes, nameOf(call.caller));
        const score = rateResults(await loadReportResults(transaction, evaluation.id), evaluation.total_tests);
        const scores = evaluation.status === 'failed' ? null : renderScores(score);
        if (evaluation.status !== 'running')
          await transaction.kysely
            .updateTable('guardrail_evaluations')
            .set({ scores: scores === null ? null : JSON.stringify(scores) })
            .where('id', '=', evaluation.id)
            .execute();
        return { before, after, score: { scores, falsePositives: score.falsePositives } };
      },
      ({ before, after }) => ({
        event: 'guardrail.result.reviewed',
        resource: { type: 'guardrail_result', id: after.id, name: after.test_id },
        before: reviewOf(before),
        after: reviewOf(after),
        details: { evaluation_id: after.evaluation_id },
      }),
    );
    const data = {
      result: renderResult(after),
      scores: score.scores,
      false_positive_count: score.falsePositives,
    };
    return { data, message: isFalse ? 'Counted as passed' : 'Counted as it was judged' };
  });

const reviewOf = ({ is_false_positive, false_positive_notes }: ResultRow) => ({
  is_false_positive,
  false_positive_notes,
});

async function findFinishedOrThrow(database: Queryable, id: number): Promise<ResultRow> {
  const row = await findResult(database, id);
  if (row === undefined || row.finished_at === null)
    throw new GatewayError('not_found', { message: `There is no result ${id}` });
  return row;
}

async function saveReview(
  database: Queryable,
  id: number,
  isFalse: boolean,
  notes: string,
  reviewer: string,
): Promise<ResultRow> {
  await database.kysely
    .updateTable('guardrail_results')
    .set({
      is_false_positive: isFalse,
      false_positive_notes: notes,
      reviewed_by: reviewer,
      reviewed_at: databaseNow,
    })
    .where('id', '=', id)
    .execute();
  return findFinishedOrThrow(database, id);
}
