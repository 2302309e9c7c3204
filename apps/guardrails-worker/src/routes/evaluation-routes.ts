import {
  cancelEvaluation,
  deleteEvaluation,
  estimateEvaluation,
  getEvaluation,
  getEvaluationStatus,
  listEvaluations,
  startEvaluation,
} from '@portcullis/contracts/routes/evaluations';
import { audited } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute, type Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import {
  deleteEvaluationRow,
  findEvaluationOrThrow,
  loadEvaluationPage,
  lockEvaluationOrThrow,
  type CountedEvaluation,
  type EvaluationRow,
} from '../evaluations/evaluation-queries.ts';
import { finishEvaluation } from '../evaluations/finish-evaluation.ts';
import { planEvaluation } from '../evaluations/plan-evaluation.ts';
import { renderEvaluation, renderStatus } from '../evaluations/render-evaluation.ts';
import { saveEvaluation } from '../evaluations/save-evaluation.ts';

interface EvaluationRouteParts {
  readonly database: Queryable;
  /** Called when there may be something to run, or to end. */
  readonly wake: () => void;
  readonly announce: (row: CountedEvaluation) => void;
}

export const evaluationRoutes = (parts: EvaluationRouteParts): BoundRoute[] =>
  [bindList, bindStart, bindEstimate, bindGet, bindStatus, bindCancel, bindDelete].map((bindRoute) => bindRoute(parts));

const bindList = ({ database }: EvaluationRouteParts): BoundRoute =>
  bind(listEvaluations, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => loadEvaluationPage(moment, query));
    return { data: { evaluations: rows.map(renderEvaluation), total, limit: query.limit, offset: query.offset } };
  });

const bindStart = ({ database, wake, announce }: EvaluationRouteParts): BoundRoute =>
  bind(startEvaluation, async (call) => {
    const row = await audited(
      database,
      call,
      (transaction) => saveEvaluation(transaction, call.body, nameOf(call.caller)),
      (started) => ({
        event: 'guardrail.evaluation.started',
        resource: evaluationResource(started),
        details: {
          target: started.target_name,
          endpoint_id: started.endpoint_id,
          guardrail_provider_id: started.guardrail_provider_id,
          total_tests: started.total_tests,
          concurrency: started.concurrency,
          delay_ms: started.delay_ms,
        },
      }),
    );
    wake();
    announce(row);
    return { data: renderEvaluation(row), message: `Evaluation of ${row.total_tests} test cases started` };
  });

const bindEstimate = ({ database }: EvaluationRouteParts): BoundRoute =>
  bind(estimateEvaluation, async ({ body }) => ({
    data: (await readConsistent(database, (moment) => planEvaluation(moment, body))).estimate,
  }));

const bindGet = ({ database }: EvaluationRouteParts): BoundRoute =>
  bind(getEvaluation, async ({ params }) => ({
    data: renderEvaluation(await findEvaluationOrThrow(database, params.id)),
  }));

const bindStatus = ({ database }: EvaluationRouteParts): BoundRoute =>
  bind(getEvaluationStatus, async ({ params }) => ({
    data: renderStatus(await findEvaluationOrThrow(database, params.id)),
  }));

const bindCancel = ({ database, wake, announce }: EvaluationRouteParts): BoundRoute =>
  bind(cancelEvaluation, async (call) => {
    const row = await audited(
      database,
      call,
      async (transaction) => {
        const before = await lockEvaluationOrThrow(transaction, call.params.id);
        if (before.status !== 'running') throw ended(before);
        await cancel(transaction, before);
        return findEvaluationOrThrow(transaction, before.id);
      },
      (after) => ({
        event: 'guardrail.evaluation.cancelled',
        resource: evaluationResource(after),
        details: { completed: renderStatus(after).completed, total_tests: after.total_tests },
      }),
    );
    wake();
    announce(row);
    const message =
      row.status === 'cancelled' ? 'Evaluation cancelled' : 'Cases under way are ended, no further begins';
    return { data: renderStatus(row), message };
  });

/** One that no process has in hand ends here; else the process that has it ends it. */
async function cancel(transaction: Queryable, row: EvaluationRow): Promise<void> {
  const cancelled = await transaction.kysely
    .updateTable('guardrail_evaluations')
    .set(({ fn }) => ({ cancel_requested_at: fn.coalesce('cancel_requested_at', databaseNow) }))
    .where('id', '=', row.id)
    .returningAll()
    .returning(sql<boolean>`lease_until is null or lease_until < clock_timestamp()`.as('idle'))
    .executeTakeFirstOrThrow();
  if (cancelled.idle) await finishEvaluation(transaction, cancelled);
}

const bindDelete = ({ database }: EvaluationRouteParts): BoundRoute =>
  bind(deleteEvaluation, async (call) => {
    await audited(
      database,
      call,
      async (transaction) => {
        const before = await lockEvaluationOrThrow(transaction, call.params.id);
        if (before.status === 'running')
          throw new GatewayError('conflict', { message: 'The evaluation is running: cancel it first' });
        await deleteEvaluationRow(transaction, before.id);
        return before;
      },
      (before) => ({
        event: 'guardrail.evaluation.deleted',
        resource: evaluationResource(before),
        details: { status: before.status, target: before.target_name, total_tests: before.total_tests },
      }),
    );
    return { message: 'Evaluation deleted with its results' };
  });

const ended = ({ status }: EvaluationRow): GatewayError =>
  new GatewayError('conflict', { message: `The evaluation has ended already: it is ${status}` });

const evaluationResource = ({ id, name }: Pick<EvaluationRow, 'id' | 'name'>) => ({
  type: 'guardrail_evaluation',
  id,
  name,
});

/** Routes that change something need a login, so there is one. */
export const nameOf = (caller: Caller | undefined): string =>
  caller === undefined ? 'unknown' : caller.kind === 'user' ? caller.username : caller.name;
