import type { EvaluationModelVerdict } from '@portcullis/contracts/evaluation';
import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { Judgement } from '@portcullis/core/evaluation/judge/judge-case';
import type { RawAnswer } from '@portcullis/core/evaluation/request/read-answer';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { sql } from 'kysely';
import type { EvaluationLease } from './evaluation-lease.ts';

/** A case of an evaluation that is not judged yet. */
export interface WaitingCase {
  readonly id: number;
  readonly testCase: EvaluationCase;
}

export async function loadWaitingCases({ kysely }: Queryable, evaluationId: number): Promise<readonly WaitingCase[]> {
  const rows = await kysely
    .selectFrom('guardrail_results')
    .select(['id', 'document'])
    .where('evaluation_id', '=', evaluationId)
    .where('finished_at', 'is', null)
    .orderBy('position')
    .execute();
  // What was stored had passed the schema.
  return rows.map(({ id, document }) => ({ id, testCase: document as EvaluationCase }));
}

/** A process that lost the lease changes nothing any more. */
const isHeld = ({ evaluation, token }: EvaluationLease) => sql<boolean>`exists (
  select from guardrail_evaluations where id = ${evaluation.id} and lease_token = ${token}
    and status = 'running')`;
const isNotCancelled = ({ evaluation }: EvaluationLease) => sql<boolean>`exists (
  select from guardrail_evaluations where id = ${evaluation.id} and cancel_requested_at is null)`;

interface ClaimedCase {
  /** Times it was begun, this one included. */
  readonly attempts: number;
  /** What its conversation got before a process died. */
  readonly answers: readonly RawAnswer[];
}

/** Begins a case. Undefined where it is judged already, or none may begin: the lease is lost or the evaluation cancelled. */
export async function claimCase(
  { kysely }: Queryable,
  lease: EvaluationLease,
  id: number,
): Promise<ClaimedCase | undefined> {
  const row = await kysely
    .updateTable('guardrail_results')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where(isHeld(lease))
    .where(isNotCancelled(lease))
    .returning(['attempts', 'answers'])
    .executeTakeFirst();
  return row && { attempts: row.attempts, answers: (row.answers ?? []) as unknown as readonly RawAnswer[] };
}

/** A case that was not ended, by no fault of its own. */
export const releaseCase = ({ kysely }: Queryable, lease: EvaluationLease, id: number) =>
  kysely
    .updateTable('guardrail_results')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where(isHeld(lease))
    .execute();

/** What a conversation got so far, before its next message is sent. */
export const saveAnswers = ({ kysely }: Queryable, lease: EvaluationLease, id: number, answers: readonly RawAnswer[]) =>
  kysely
    .updateTable('guardrail_results')
    .set({ answers: JSON.stringify(answers) })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where(isHeld(lease))
    .execute();

/** What a case came to; texts are such as the database can keep. */
export interface CaseOutcome {
  readonly judgement: Judgement;
  readonly modelVerdict: EvaluationModelVerdict | null;
  readonly statusCode: number | null;
  readonly responseTimeMs: number;
  readonly prompt: string;
  readonly response: string;
}

/** The first one that is saved counts. */
export const saveOutcome = (
  { kysely }: Queryable,
  lease: EvaluationLease,
  id: number,
  { judgement, modelVerdict, statusCode, responseTimeMs, prompt, response }: CaseOutcome,
) =>
  kysely
    .updateTable('guardrail_results')
    .set({
      outcome: judgement.outcome,
      verdict: judgement.verdict,
      detection: judgement.detection,
      detection_match: judgement.detectionMatch,
      reason: judgement.reason,
      evidence: JSON.stringify(judgement.evidence),
      blocked_at_turn: judgement.blockedAtTurn,
      model_verdict: modelVerdict === null ? null : JSON.stringify(modelVerdict),
      status_code: statusCode,
      response_time_ms: responseTimeMs,
      prompt,
      response,
      answers: null,
      finished_at: databaseNow,
    })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where(isHeld(lease))
    .execute();
