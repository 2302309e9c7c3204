import type { Queryable } from '@portcullis/platform/database/database';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import type { SpendWindow } from './spend-window.ts';

/** Records that are added up at most where no sums are kept. */
const maxRecords = 40_000;

/** From which time on the latest records are added up, so that an answer takes a bounded time; undefined: all are. */
export async function findLatestFrom(
  { kysely }: Queryable,
  table: 'request_logs' | 'usage_records',
  conditions: readonly RawBuilder<SqlBool>[],
): Promise<Date | undefined> {
  const { rows } = await sql<{ readonly timestamp: Date }>`
    select logged.timestamp from ${sql.table(table)} logged where ${all(conditions)}
    order by logged.timestamp desc offset ${maxRecords - 1} limit 1`.execute(kysely);
  return rows[0]?.timestamp;
}

export const periodOf = ({ from, to }: Pick<SpendWindow, 'from' | 'to'>): RawBuilder<SqlBool>[] => [
  sql`logged.timestamp >= ${from}`,
  ...(to === undefined ? [] : [sql<SqlBool>`logged.timestamp < ${to}`]),
];

/** Who called, of a record called `logged`, in the columns of `hourly_usage`. */
export const callerColumns = sql`date_bin('1 hour', logged.timestamp, '2000-01-01T00:00:00Z') as hour, logged.proxy_id,
  coalesce(logged.user_group_id, 0) as user_group_id, coalesce(logged.api_key_id, 0) as api_key_id,
  coalesce(logged.user_id, (select owner_id from api_keys where api_keys.id = logged.api_key_id), 0) as user_id`;
