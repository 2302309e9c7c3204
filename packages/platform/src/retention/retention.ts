import { sql } from 'kysely';
import { problemText } from '../errors/problem.ts';
import { runEvery } from '../event-loop/run-every.ts';
import type { Logger } from '../log/logger.ts';
import type { Database } from '../database/database.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { loadRetentionSettings } from '../settings/load-settings.ts';
import { pruneConfigChanges } from './prune-config-changes.ts';
import { dropPartitions, partitionedTables, type PartitionedTable } from '../database/partitions.ts';

export interface RetentionOptions {
  readonly database: Database;
  readonly log: Logger;
  /** How long the records of each table are kept, at least, unless the settings say otherwise. */
  readonly keepMs: Readonly<Record<PartitionedTable, number>>;
  readonly intervalMs?: number;
}

const hourMs = 3_600_000;

/** Drops expired records now and every hour, until it is disposed. Any number of processes may do this. */
export function startRetention({
  database,
  log,
  keepMs: given,
  intervalMs = hourMs,
}: RetentionOptions): AsyncDisposable {
  const dropExpired = async (): Promise<void> => {
    const keepMs = await loadKeepMs(database, given);
    for (const table of partitionedTables) {
      const days = await dropPartitions(database.kysely, table, new Date(Date.now() - keepMs[table]));
      if (days.length > 0) log.info('Expired records were dropped', { table, days });
    }
    await deleteSums(database, keepMs);
    const changes = await pruneConfigChanges(database);
    if (changes > 0) log.info('Old configuration changes were removed', { changes });
  };
  return runEvery(dropExpired, {
    intervalMs,
    onFault: (error) => void log.warn('Expired records could not be dropped', { reason: problemText(error) }),
  });
}

const dayMs = 86_400_000;

/** What the settings say, else what was given at the start. */
async function loadKeepMs(database: Database, given: RetentionOptions['keepMs']): Promise<RetentionOptions['keepMs']> {
  const { request_logs_days: logs, token_usage_days: usage } = await loadRetentionSettings(database);
  return {
    ...given,
    request_logs: logs === null ? given.request_logs : logs * dayMs,
    usage_records: usage === null ? given.usage_records : usage * dayMs,
  };
}

const dailySums = ['daily_usage', 'daily_requests', 'daily_tool_calls'] as const;

/** The sums of a day, and the resets of a month, live as long as usage. */
async function deleteSums({ kysely }: Database, keepMs: RetentionOptions['keepMs']): Promise<void> {
  const day = dayBefore(keepMs.usage_records);
  for (const table of dailySums) await deleteInBatches(kysely, table, sql`day < ${day}`);
  await deleteInBatches(kysely, 'hourly_usage', sql`hour < ${new Date(day)}`);
  // Lists of requests learn from them which proxies have any.
  const hour = new Date(dayBefore(Math.max(keepMs.usage_records, keepMs.request_logs)));
  await deleteInBatches(kysely, 'hourly_requests', sql`hour < ${hour}`);
  // Sessions go with the last of their calls.
  const last = new Date(dayBefore(Math.max(keepMs.usage_records, keepMs.request_logs, keepMs.agent_invocations)));
  await deleteInBatches(kysely, 'sessions', sql`started_at < ${last} and last_at < ${last}`);
  await kysely.deleteFrom('budget_resets').where('month', '<', day.slice(0, 7)).execute();
}

const dayBefore = (ms: number): string => new Date(Date.now() - ms).toISOString().slice(0, 10);
