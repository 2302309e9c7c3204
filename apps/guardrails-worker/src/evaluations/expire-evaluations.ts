import { deleteInBatches } from '@portcullis/platform/database/delete-in-batches';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery, type Repeated } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { sql } from 'kysely';

interface ExpireParts {
  readonly database: Database;
  readonly log: Logger;
  readonly keepMs: number;
}

const hourMs = 3_600_000;
/** Each has a row for every case. */
const batchSize = 50;

/** Forgets evaluations that ended long ago, with their results. Any number of processes may do this. */
export const startExpiringEvaluations = (parts: ExpireParts): Repeated =>
  runEvery(() => expireEvaluations(parts), {
    intervalMs: hourMs,
    onFault: (error) => void parts.log.warn('Old evaluations could not be removed', { reason: problemText(error) }),
  });

export async function expireEvaluations({ database, log, keepMs }: ExpireParts): Promise<void> {
  const before = new Date(Date.now() - keepMs);
  const condition = sql`status <> 'running' and finished_at < ${before}`;
  const evaluations = await deleteInBatches(database.kysely, 'guardrail_evaluations', condition, batchSize);
  if (evaluations > 0) log.info('Evaluations that ended long ago were removed', { evaluations });
}
