import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import {
  claimCase,
  releaseCase,
  loadWaitingCases,
  saveAnswers,
  saveOutcome,
  type CaseOutcome,
  type WaitingCase,
} from './case-queries.ts';
import { finishLeased, releaseLease, type EvaluationLease } from './evaluation-lease.ts';
import type { Target } from './target.ts';
import type { TimeSlice } from './time-slice.ts';

export interface RunParts {
  readonly database: Database;
  readonly log: Logger;
  /** Called after each case. */
  readonly onCase: (outcome: CaseOutcome) => void;
}

/** A case that a process died with so often is taken to be what it died of. */
const maxAttempts = 3;
/** A judged case is kept although the database is away for so long. */
const savePauseMs = 1_000;
const saveAttempts = 120;

/**
 * Runs cases of an evaluation side by side until all are judged, or its time slice is over. Ends it where nothing is left to do, else
 * gives it back.
 */
export async function runEvaluation(
  parts: RunParts,
  lease: EvaluationLease,
  target: Target,
  slice: TimeSlice,
): Promise<void> {
  const { database } = parts;
  const { evaluation } = lease;
  const waiting = (await loadWaitingCases(database, evaluation.id)).values();
  const runCases = async (): Promise<void> => {
    for (const one of waiting) {
      await slice.waitUntilFree();
      if (slice.isOver() || !(await runCase(parts, lease, target, slice, one))) return;
      await slice.pause(evaluation.delay_ms);
    }
  };
  const runs = await Promise.allSettled(
    Array.from({ length: evaluation.concurrency }, () =>
      runCases().catch((error: unknown) => {
        slice.end();
        throw error;
      }),
    ),
  );
  const fault = runs.find((ended) => ended.status === 'rejected');
  if (fault !== undefined) throw fault.reason;
  const left = await loadWaitingCases(database, evaluation.id);
  if (left.length === 0 || slice.isCancelled()) await finishLeased(database, lease);
  else await releaseLease(database, lease);
}

/** False where no further case is to begin. */
async function runCase(
  { database, onCase, log }: RunParts,
  lease: EvaluationLease,
  target: Target,
  slice: TimeSlice,
  { id, testCase }: WaitingCase,
): Promise<boolean> {
  const claimed = await claimCase(database, lease, id);
  if (claimed === undefined) {
    await slice.renew();
    return false;
  }
  const { signal, hurry, onBusy } = slice;
  const outcome =
    claimed.attempts > maxAttempts
      ? abandonedCase(claimed.attempts - 1)
      : await target.examine(testCase, {
          answers: claimed.answers,
          saveAnswers: (answers) => saveAnswers(database, lease, id, answers),
          signal,
          hurry,
          onBusy,
        });
  // What was broken off says nothing about the target.
  if (signal.aborted && outcome.judgement.verdict === 'error') {
    await releaseCase(database, lease, id);
    return false;
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      await saveOutcome(database, lease, id, outcome);
      break;
    } catch (error) {
      if (attempt === saveAttempts || signal.aborted) throw error;
      if (attempt === 1) log.warn('The result of a test case waits for the database', { reason: problemText(error) });
      await wait(savePauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  onCase(outcome);
  return true;
}

const abandonedCase = (attempts: number): CaseOutcome => ({
  judgement: {
    verdict: 'error',
    outcome: 'error',
    detection: 'none',
    detectionMatch: false,
    reason: `The worker ended ${attempts} times while it had this case in hand`,
    evidence: [],
    blockedAtTurn: null,
  },
  modelVerdict: null,
  statusCode: null,
  responseTimeMs: 0,
  prompt: '',
  response: '',
});
