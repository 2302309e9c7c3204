/**
 * Fills a database with audit records, a million unless told otherwise, and prints what lists, searches, exports
 * and statistics cost at the database, with the plans of the slowest. Started by `npm run bench -- audit`.
 */
import { auditEvents } from '@portcullis/contracts/audit-events';
import type { AuditFilters } from '@portcullis/contracts/routes/audit';
import { countAuditBlocks } from '@portcullis/platform/audit/count-blocks';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import { databaseKinds, openTestDatabase, type DatabaseKind } from '@portcullis/platform/test/test-database';
import { sql } from 'kysely';
import { loadAuditFilterOrThrow } from '../../src/audit/audit-filter.ts';
import { loadAuditPage, loadAuditStats } from '../../src/audit/audit-queries.ts';
import { exportCsv } from '../../src/audit/export-audit.ts';
import { print, Report, takeLines } from './report.ts';
import { timeFromHere } from './statements.ts';

const [kinds = databaseKinds.join(','), size = '1000000'] = process.argv.slice(2);
const count = Number(size);
const batch = 50_000;
const types = Object.keys(auditEvents);

const lists: Readonly<Record<string, AuditFilters>> = {
  'no filter': {},
  'event_type=auth.login.failed': { event_type: 'auth.login.failed' },
  'event_type of three': { event_type: 'auth.login,apikey.created,proxy.updated' },
  'severity=critical': { severity: 'critical' },
  'severity=critical,warning': { severity: 'critical,warning' },
  'result=failure': { result: 'failure' },
  'severity=critical, result=failure': { severity: 'critical', result: 'failure' },
  'user=admin-7': { user: 'admin-7' },
  'user=admin-7, result=failure': { user: 'admin-7', result: 'failure' },
  'user=admin-7, event_type=auth.login.failed': { user: 'admin-7', event_type: 'auth.login.failed' },
  'resource_type=proxy': { resource_type: 'proxy' },
  'resource_type=proxy, resource_id=3': { resource_type: 'proxy', resource_id: '3' },
  'source_ip=10.0.0.7': { source_ip: '10.0.0.7' },
  'source_ip=10.0.0.7, severity=warning': { source_ip: '10.0.0.7', severity: 'warning' },
  'time_range=24h': { time_range: '24h' },
  'time_range=30d, severity=warning': { time_range: '30d', severity: 'warning' },
  search: { search: 'zanzibar' },
  'search, time_range=30d': { search: 'zanzibar', time_range: '30d' },
  'search, severity=critical': { search: 'zanzibar', severity: 'critical' },
  'search, user=admin-7': { search: 'zanzibar', user: 'admin-7' },
  'search, user=admin-7, result=failure': { search: 'zanzibar', user: 'admin-7', result: 'failure' },
  'search, resource_id=3': { search: 'zanzibar', resource_id: '3' },
};

/** Ninety days of forty admins and two thousand addresses; without their hashes, which no list reads. */
const fill = ({ kysely }: Database, from: number, to: number) =>
  sql`
  insert into audit_log (id, hash, event_id, timestamp, event_type, severity, actor_type, actor_id, actor_name,
    resource_type, resource_id, resource_name, action, result, details, source_ip, user_agent)
  select n, md5(n::text), gen_random_uuid(),
    now() - (${count} - n) * interval '90 days' / ${count} - random() * interval '5 seconds',
    types[kind], severities[kind], 'user', actor, 'admin-' || actor, split_part(types[kind], '.', 1),
    (thing % 300)::text, 'thing ' || thing, split_part(types[kind], '.', 2),
    case when thing % 9 = 0 then 'failure' else 'success' end,
    jsonb_build_object('reason', 'something that happened', 'n', n), '10.0.' || thing % 50 || '.' || actor, 'Mozilla/5.0'
  from (select n, 1 + floor(random() ^ 2 * ${types.length})::int as kind, floor(random() * 5000)::int as thing,
      floor(random() ^ 2 * 40)::int as actor
    from generate_series(${from}::int, ${to}::int) as n) as rows,
    (select ${types}::text[] as types, ${Object.values(auditEvents)}::text[] as severities) as words`.execute(kysely);

async function fillAll(database: Database): Promise<void> {
  const { kysely } = database;
  await sql`alter table audit_log disable trigger user`.execute(kysely);
  for (let from = 1; from <= count; from += batch) await fill(database, from, Math.min(count, from + batch - 1));
  await sql`alter table audit_log enable trigger user`.execute(kysely);
  await sql`update audit_chain set last_id = ${count}`.execute(kysely);
  await sql`vacuum analyze`.execute(kysely);
}

async function measure(kind: DatabaseKind): Promise<void> {
  await using database = await openTestDatabase(kind, { queryTimeoutMs: 600_000 });
  await fillAll(database);
  const start = performance.now();
  const blocks = await countAuditBlocks(database);
  const ms = (performance.now() - start) / blocks;
  await sql`vacuum analyze`.execute(database.kysely);
  const report = new Report(database);
  await report.head(
    kind,
    `${count} records; each of ${blocks} blocks was counted, once for all, in ${ms.toFixed(0)} ms.`,
  );
  for (const [name, given] of Object.entries(lists)) await measureList(report, name, given);
  for (const [name, given] of Object.entries(lists)) {
    const filter = await loadAuditFilterOrThrow(database, given);
    const load = (from: Database) => takeLines(exportCsv(from, filter, count + 1), 2);
    await report.line({ name: `export, ${name}, 500 of it`, place: 0, load });
  }
  for (const [name, given] of Object.entries(lists)) {
    const filter = await loadAuditFilterOrThrow(database, given);
    await report.line({ name: `statistics, ${name}`, place: 0, load: (from) => loadAuditStats(from, filter) });
  }
  const actor = { type: 'user', id: 1, name: 'admin-1' } as const;
  const append = await timeFromHere(() => recordAudit(database.kysely, { event_type: 'auth.login', actor }));
  print(`\nA record is appended in ${append.toFixed(1)} ms, with the way there and back.`);
  report.plans(3);
}

/** Its first page, one in the middle and the last. */
async function measureList(report: Report, name: string, given: AuditFilters): Promise<void> {
  const loadFrom = (offset: number) => async (database: Database) =>
    loadAuditPage(database, await loadAuditFilterOrThrow(database, given), { limit: 50, offset });
  const total = await report.line({ name, place: 0, load: loadFrom(0) });
  for (const place of new Set([Math.floor(total / 2), Math.max(0, total - 50)])) {
    if (place > 0) await report.line({ name, place, load: loadFrom(place) });
  }
}

for (const kind of databaseKinds) if (kinds.split(',').includes(kind)) await measure(kind);
