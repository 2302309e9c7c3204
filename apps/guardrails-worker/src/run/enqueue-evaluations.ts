import type { Queue } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { existsBatch } from '@portcullis/platform/database/exists-batch';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery, type Repeated } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { sql } from 'kysely';
import { markUnqueued, markUnattendedQueued } from './evaluation-lease.ts';

/** The job of the queue: one time slice of an evaluation. */
export interface EvaluationJob {
  readonly evaluationId: number;
}

interface EnqueueParts {
  readonly database: Database;
  readonly log: Logger;
  readonly queue: Queue<EvaluationJob>;
}

interface EvaluationEnqueuer extends Repeated {
  /** Why jobs cannot be put into the queue; undefined while all is well. */
  readonly problem: () => string | undefined;
}

const renewMs = 2_000;

/** Puts evaluations without a live lease into the queue, until it is disposed. Any number of processes may do this. */
export function startEnqueueingEvaluations({ database, log, queue }: EnqueueParts): EvaluationEnqueuer {
  let problem: string | undefined;
  const look = async (): Promise<void> => {
    if (await hasUnattended(database)) await enqueueUnattended(database, queue);
    problem = undefined;
  };
  const looking = runEvery(look, {
    intervalMs: renewMs,
    onFault: (error) => {
      if (problem === undefined) log.warn('Evaluations wait for the queue', { reason: problemText(error) });
      problem = problemText(error);
    },
  });
  return { ...looking, problem: () => problem };
}

async function enqueueUnattended(database: Database, queue: Queue<EvaluationJob>): Promise<void> {
  for (const { id, turn } of await markUnattendedQueued(database)) {
    try {
      await queue.add(`evaluation-${id}-${turn}`, { evaluationId: id }, { attempts: 1, backoffMs: 1 });
    } catch (error) {
      await markUnqueued(database, id, turn);
      throw error;
    }
  }
}

const hasUnattended = existsBatch((kysely) =>
  kysely
    .selectFrom('guardrail_evaluations')
    .select('id')
    .where('status', '=', 'running')
    .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<', sql<Date>`clock_timestamp()`)])),
);
