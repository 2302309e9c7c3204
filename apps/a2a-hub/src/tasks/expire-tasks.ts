import { deleteInBatches } from '@portcullis/platform/database/delete-in-batches';
import type { Database } from '@portcullis/platform/database/database';
import { runEvery, type Repeated } from '@portcullis/platform/event-loop/run-every';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { sql } from 'kysely';

interface ExpireTasksParts {
  readonly database: Database;
  readonly log: Logger;
  /** How long tasks are kept after their last change. */
  readonly keepMs: number;
  /** How long the name of a message stands for its task. */
  readonly keepMessagesMs: number;
  readonly intervalMs?: number;
}

/** Forgets tasks that did not change for long, and the names of old messages. Any number of processes may do this. */
export function startExpiringTasks({
  database,
  log,
  keepMs,
  keepMessagesMs,
  intervalMs = 60_000,
}: ExpireTasksParts): Repeated {
  const { kysely } = database;
  const before = (ms: number): Date => new Date(Date.now() - ms);
  const expire = async (): Promise<void> => {
    const tasks = await deleteInBatches(kysely, 'agent_tasks', sql`changed_at < ${before(keepMs)}`);
    if (tasks > 0) log.info('Expired tasks of agents were removed', { tasks });
    await deleteInBatches(kysely, 'agent_messages', sql`received_at < ${before(keepMessagesMs)}`);
  };
  return runEvery(expire, {
    intervalMs,
    onFault: (error) => void log.warn('Expired tasks of agents could not be removed', { reason: problemText(error) }),
  });
}
