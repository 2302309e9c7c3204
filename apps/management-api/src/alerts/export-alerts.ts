import type { Alert } from '@portcullis/contracts/events';
import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
import { alertConditions } from './alert-conditions.ts';
import type { AlertFilter } from './alert-filter.ts';
import { alertColumns, renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import { containsText } from '../search/contains-text.ts';
import { renderCsvLine } from '../csv/csv-line.ts';

/** Alerts read at once: what an export holds in memory, however long it is. */
const batchSize = 500;

/** The position is text, since a Date would lose the microseconds and with them the place. */
type Row = AlertRow & { readonly position: string; readonly hit: boolean };

/**
 * All alerts that pass a filter, newest first. What is recorded while it runs is not part of it. Unlike
 * a page of the list, an export takes the time to search everything, one bounded query after the other. The ids
 * come first, from an index that carries the conditions along: filters may let few of many alerts pass.
 */
async function* readAlerts(database: Database, filter: AlertFilter): AsyncGenerator<Alert> {
  const { search } = filter;
  const found =
    search === undefined ? sql`true` : sql`${containsText(search)} or request_id is not distinct from ${search}`;
  let last: Row | undefined;
  for (;;) {
    const after = last === undefined ? sql`` : sql` and (created_at, id) < (${last.position}::timestamptz, ${last.id})`;
    const { rows }: { rows: Row[] } = await sql<Row>`
      select ${alertColumns}, created_at::text as position, ${found} as hit from alerts where id = any(array(
        select id from alerts where ${alertConditions(filter)}${after}
        order by created_at desc, id desc limit ${batchSize}))
      order by created_at desc, id desc`.execute(database.kysely);
    for (const { position: _, hit, ...row } of rows) if (hit) yield renderAlert(row);
    last = rows.at(-1);
    if (rows.length < batchSize) return;
  }
}

/** A JSON array, one alert per line. */
export async function* exportJson(database: Database, filter: AlertFilter): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const alert of readAlerts(database, filter)) {
    yield separator + JSON.stringify(alert);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

const csvColumns = [
  'id',
  'created_at',
  'updated_at',
  'severity',
  'status',
  'title',
  'description',
  'action',
  'category',
  'proxy_id',
  'proxy_type',
  'source',
  'target',
  'policy_name',
  'rule_id',
  'user_identity',
  'user_type',
  'user_group',
  'assignee',
  'request_id',
  'raw_data',
] as const satisfies readonly (keyof Alert)[];

/** CSV as RFC 4180 has it, with a line of names. */
export async function* exportCsv(database: Database, filter: AlertFilter): AsyncGenerator<string> {
  yield renderCsvLine(csvColumns);
  for await (const alert of readAlerts(database, filter))
    yield renderCsvLine(csvColumns.map((name) => (name === 'assignee' ? alert.assignee?.username : alert[name])));
}
