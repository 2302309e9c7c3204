import { randomUUID } from 'node:crypto';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { sql } from 'kysely';
import type { EvaluationRow } from '../evaluations/evaluation-queries.ts';
import { lockEvaluationOrThrow } from '../evaluations/evaluation-queries.ts';
import { finishEvaluation } from '../evaluations/finish-evaluation.ts';

/** That one process runs an evaluation, which each of its writes is tied to. */
export interface EvaluationLease {
  readonly evaluation: EvaluationRow;
  readonly token: string;
}

/** A process that did not renew for so long has lost its lease. */
const leaseMs = 15_000;

const until = sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
const isFree = sql<boolean>`(lease_until is null or lease_until < clock_timestamp())`;

/** Undefined where the evaluation has ended, or another process runs it. */
export async function takeLease({ kysely }: Queryable, id: number): Promise<EvaluationLease | undefined> {
  const token = randomUUID();
  const evaluation = await kysely
    .updateTable('guardrail_evaluations')
    .set({ lease_token: token, lease_until: until, queued_at: null })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where(isFree)
    .returningAll()
    .executeTakeFirst();
  return evaluation && { evaluation, token };
}

/** Undefined where the lease was lost. */
export const renewLease = (
  { kysely }: Queryable,
  { evaluation, token }: EvaluationLease,
): Promise<{ readonly cancelled: boolean } | undefined> =>
  kysely
    .updateTable('guardrail_evaluations')
    .set({ lease_until: until })
    .where('id', '=', evaluation.id)
    .where('lease_token', '=', token)
    .returning(sql<boolean>`cancel_requested_at is not null`.as('cancelled'))
    .executeTakeFirst();

/** Releases an evaluation that is not at its end. */
export const releaseLease = ({ kysely }: Queryable, { evaluation, token }: EvaluationLease) =>
  kysely
    .updateTable('guardrail_evaluations')
    .set({ lease_token: null, lease_until: null })
    .where('id', '=', evaluation.id)
    .where('lease_token', '=', token)
    .execute();

/** Ends an evaluation while the lease holds. @param failure why it cannot go on */
export const finishLeased = ({ kysely }: Queryable, { evaluation, token }: EvaluationLease, failure?: string) =>
  kysely.transaction().execute(async (transaction) => {
    const row = await lockEvaluationOrThrow({ kysely: transaction }, evaluation.id);
    if (row.status !== 'running' || row.lease_token !== token) return;
    await finishEvaluation({ kysely: transaction }, row, failure);
  });

/** A job whose queue lost it is put there again. */
const lostAfter = sql<Date>`clock_timestamp() - interval '60 seconds'`;

/** Evaluations without a live lease that are not in the queue, now marked as queued: each with a number for its job. */
export const markUnattendedQueued = ({
  kysely,
}: Queryable): Promise<{ readonly id: number; readonly turn: number }[]> =>
  kysely
    .updateTable('guardrail_evaluations')
    .set((eb) => ({ turn: eb('turn', '+', 1), queued_at: databaseNow }))
    .where('status', '=', 'running')
    .where(isFree)
    .where((eb) => eb.or([eb('queued_at', 'is', null), eb('queued_at', '<', lostAfter)]))
    .returning(['id', 'turn'])
    .execute();

/** Where the queue did not take the job. */
export const markUnqueued = ({ kysely }: Queryable, id: number, turn: number) =>
  kysely
    .updateTable('guardrail_evaluations')
    .set({ queued_at: null })
    .where('id', '=', id)
    .where('turn', '=', turn)
    .execute();
