import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { sql } from 'kysely';

interface AlertRetentionOptions {
  readonly database: Database;
  readonly log: Logger;
  /** How long alerts are kept. */
  readonly keepMs: number;
  readonly intervalMs?: number;
}

/** How long a deleted alert stays in the table: a spool that repeats itself must still find its event id there. */
const deletedKeptMs = 7 * 86_400_000;
const hourMs = 3_600_000;

/** Removes expired and deleted alerts now and every hour, until it is disposed. Any number of processes may do this. */
export function startAlertRetention(options: AlertRetentionOptions): AsyncDisposable {
  const { database, log, keepMs, intervalMs = hourMs } = options;
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const run = (): void => {
    running = running
      .then(async () => {
        const removed = await removeAlerts(database, keepMs, stop.signal);
        if (removed > 0) log.info('Expired and deleted alerts were removed', { removed });
      })
      .catch((error: unknown) => void log.warn('Expired alerts could not be removed', { reason: problemText(error) }));
  };
  run();
  const timer = setInterval(run, intervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stop.abort();
      await running;
    },
  };
}

/** Few enough that no request waits long for the rows, or for the counters of their days. */
const batchSize = 1_000;

/** Removes them in batches, with their events and deliveries, and answers how many there were. */
export async function removeAlerts(
  { kysely }: Database,
  keepMs: number,
  signal = new AbortController().signal,
): Promise<number> {
  const expired = sql`created_at < ${new Date(Date.now() - keepMs)}`;
  const deleted = sql`deleted_at < ${new Date(Date.now() - deletedKeptMs)}`;
  let removed = 0;
  for (const condition of [sql`deleted_at is null and ${expired}`, deleted]) {
    for (let count = batchSize; count === batchSize && !signal.aborted; removed += count) {
      const { rows } = await sql`
        delete from alerts where id = any(array(
          select id from alerts where ${condition} limit ${batchSize} for update skip locked))
        returning id`.execute(kysely);
      count = rows.length;
    }
  }
  await removeEmptyCounters(kysely, new Date(Date.now() - keepMs).toISOString().slice(0, 10));
  return removed;
}

/** Rankings also have periods that last, whose counters may be wanted right now: those are left for the next time. */
async function removeEmptyCounters(kysely: Database['kysely'], past: string): Promise<void> {
  await kysely.deleteFrom('alert_kind_counts').where('count', '=', 0).where('day', '<', past).execute();
  await kysely.deleteFrom('alert_subject_counts').where('count', '=', 0).where('day', '<', past).execute();
  await sql`
    delete from alert_top_counts where (subject, period, value) in (
      select subject, period, value from alert_top_counts where count = 0 for update skip locked)`.execute(kysely);
}
