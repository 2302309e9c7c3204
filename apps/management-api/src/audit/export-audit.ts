import type { AuditLog } from '@portcullis/contracts/routes/audit';
import type { Database } from '@portcullis/platform/database/database';
import { renderCsvLine } from '../csv/csv-line.ts';
import type { AuditFilter } from './audit-filter.ts';
import { loadAuditBefore, type AuditBatch } from './audit-queries.ts';

/** Records read at once: what an export holds in memory, however long it is. */
const batchSize = 500;

/** Unlike a page of the list it searches everything, one bounded query after the other. */
async function* readBatches(
  database: Database,
  filter: AuditFilter,
  before: number,
): AsyncGenerator<readonly AuditLog[]> {
  for (let place: number | undefined = before; place !== undefined;) {
    const batch: AuditBatch = await loadAuditBefore(database, filter, place, batchSize);
    if (batch.logs.length > 0) yield batch.logs;
    place = batch.before;
  }
}

/** A JSON array, one record per line. */
export async function* exportJson(database: Database, filter: AuditFilter, before: number): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const batch of readBatches(database, filter, before)) {
    yield separator + batch.map((log) => JSON.stringify(log)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

const csvColumns: readonly (readonly [string, (log: AuditLog) => unknown])[] = [
  ['id', ({ id }) => id],
  ['timestamp', ({ timestamp }) => timestamp],
  ['event_type', (log) => log.event_type],
  ['severity', ({ severity }) => severity],
  ['actor_type', ({ actor }) => actor.type],
  ['actor_id', ({ actor }) => actor.user_id],
  ['actor', ({ actor }) => actor.username],
  ['actor_role', ({ actor }) => actor.role],
  ['resource_type', ({ resource }) => resource?.type],
  ['resource_id', ({ resource }) => resource?.id],
  ['resource', ({ resource }) => resource?.name],
  ['action', ({ action }) => action],
  ['result', ({ result }) => result],
  ['source_ip', (log) => log.source_ip],
  ['user_agent', (log) => log.user_agent],
  ['error_message', (log) => log.error_message],
  ['details', ({ details }) => details],
  ['changes', ({ changes }) => changes],
  ['request_id', ({ metadata }) => metadata.request_id],
  ['hash', ({ metadata }) => metadata.hash],
];

/** CSV as RFC 4180 has it, with a line of names. */
export async function* exportCsv(database: Database, filter: AuditFilter, before: number): AsyncGenerator<string> {
  yield renderCsvLine(csvColumns.map(([name]) => name));
  for await (const batch of readBatches(database, filter, before)) {
    yield batch.map((log) => renderCsvLine(csvColumns.map(([, read]) => read(log)))).join('');
  }
}
