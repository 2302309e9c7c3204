import { problemText } from '../lifecycle/problem.ts';
import type { Logger } from '../log/logger.ts';
import type { Database } from './database.ts';
import { dropPartitions, type PartitionedTable } from './partitions.ts';

export interface RetentionOptions {
  readonly database: Database;
  readonly log: Logger;
  /** How long the records of each table are kept, at least. */
  readonly keepMs: Readonly<Record<PartitionedTable, number>>;
  readonly intervalMs?: number;
}

const hourMs = 3_600_000;

/** Drops expired records now and every hour, until it is disposed. Any number of processes may do this. */
export function startRetention({ database, log, keepMs, intervalMs = hourMs }: RetentionOptions): AsyncDisposable {
  const tables: readonly PartitionedTable[] = ['request_logs', 'usage_records'];
  let running: Promise<void> = Promise.resolve();

  const dropExpired = async (): Promise<void> => {
    for (const table of tables) {
      const days = await dropPartitions(database.kysely, table, new Date(Date.now() - keepMs[table]));
      if (days.length > 0) log.info('Expired records were dropped', { table, days });
    }
    await deleteDailySums(database, new Date(Date.now() - keepMs.usage_records));
  };
  const run = (): void => {
    running = running
      .then(dropExpired)
      .catch((error: unknown) => void log.warn('Expired records could not be dropped', { reason: problemText(error) }));
  };

  run();
  const timer = setInterval(run, intervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}

const dailySums = ['daily_usage', 'daily_requests', 'daily_tool_calls'] as const;

/** The sums of a day live as long as the usage they were made of. */
async function deleteDailySums({ kysely }: Database, before: Date): Promise<void> {
  const day = before.toISOString().slice(0, 10);
  for (const table of dailySums) await kysely.deleteFrom(table).where('day', '<', day).execute();
}
