import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Tables with one partition per UTC day, named `<table>_<YYYYMMDD>`. */
export const partitionedTables = [
  'request_logs',
  'usage_records',
  'guardrail_checks',
  'mcp_tool_calls',
  'agent_invocations',
] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** Keeps processes that make or drop partitions at the same time from each other. */
const lock = sql`select pg_advisory_xact_lock(7261003)`;

/** Makes the partitions of the days (`YYYY-MM-DD`) that have none. */
export async function makePartitions(
  kysely: Kysely<Tables>,
  table: PartitionedTable,
  days: readonly string[],
): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    await lock.execute(transaction);
    const existing = new Set(await findDays(transaction, table));
    for (const day of days.filter((day) => !existing.has(day))) await makePartition(transaction, table, day);
  });
}

/** Drops the partitions of the days that ended before the time given, and answers those days. */
export async function dropPartitions(
  kysely: Kysely<Tables>,
  table: PartitionedTable,
  before: Date,
): Promise<readonly string[]> {
  return kysely.transaction().execute(async (transaction) => {
    await lock.execute(transaction);
    const expired = (await findDays(transaction, table)).filter((day) => dayAfter(day) <= before);
    for (const day of expired) await sql`drop table ${partitionName(table, day)}`.execute(transaction);
    return expired;
  });
}

async function makePartition(transaction: Transaction<Tables>, table: PartitionedTable, day: string): Promise<void> {
  const from = sql.lit(`${day}T00:00:00Z`);
  const to = sql.lit(dayAfter(day).toISOString());
  await sql`
    create table ${partitionName(table, day)} partition of ${sql.table(table)}
    for values from (${from}) to (${to})`.execute(transaction);
}

async function findDays(transaction: Transaction<Tables>, table: PartitionedTable): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass order by name`.execute(transaction);
  return rows.map(({ name }) => name.replace(/^.*_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'));
}

const partitionName = (table: PartitionedTable, day: string) => sql.table(`${table}_${day.replaceAll('-', '')}`);

const dayAfter = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
