import { dayOf } from '@portcullis/core/budget/budget-month';
import type { Database } from '@portcullis/platform/database/database';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import { renderCsvLine } from '../csv/csv-line.ts';
import { focusColumns, type UsageOfDay } from './focus-columns.ts';
import { conditionsOf, type SpendFilters } from './spend-queries.ts';
import type { SpendWindow } from './spend-window.ts';

/** Rows read at once: what an export holds in memory, however long it is. */
const batchSize = 500;

const key = sql`day, proxy_id, user_group_id, api_key_id, protocol, model`;

/** Sums of days, oldest first, one bounded query after the other. */
async function* readDays(
  { kysely }: Database,
  conditions: readonly RawBuilder<SqlBool>[],
): AsyncGenerator<readonly UsageOfDay[]> {
  let last: UsageOfDay | undefined;
  do {
    const behind =
      last === undefined
        ? []
        : [
            sql<SqlBool>`(${key}) > (${last.day}, ${last.proxy_id}::int, ${last.user_group_id}::int,
              ${last.api_key_id}::int, ${last.protocol}, ${last.model})`,
          ];
    const { rows }: { rows: UsageOfDay[] } = await sql<UsageOfDay>`
      select used.*, proxies.name as proxy_name, proxies.target, proxies.tags, user_groups.name as team_name,
        api_keys.name as key_name
      from (select * from daily_usage where ${all([...conditions, ...behind])} order by ${key} limit ${batchSize}) as used
      left join proxies on proxies.id = used.proxy_id
      left join user_groups on user_groups.id = used.user_group_id
      left join api_keys on api_keys.id = used.api_key_id
      order by ${key}`.execute(kysely);
    yield rows;
    last = rows.length < batchSize ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** One table of CSV as RFC 4180 has it, in the columns of FOCUS 1.2. */
export async function* exportFocus(
  database: Database,
  filters: SpendFilters,
  window: SpendWindow,
): AsyncGenerator<string> {
  const columns = Object.values(focusColumns);
  yield renderCsvLine(Object.keys(focusColumns));
  for await (const rows of readDays(database, conditionsOf(filters, window)))
    yield rows.map((row) => renderCsvLine(columns.map((read) => read(row)))).join('');
}

/** Days as a name of a file has them, both included. */
export const renderDays = ({ from, to }: SpendWindow, now: Date): string =>
  `${dayOf(from)}-to-${dayOf(new Date((to ?? now).getTime() - 1))}`;
