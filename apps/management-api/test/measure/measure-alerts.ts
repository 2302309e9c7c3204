/**
 * Fills a database with alerts, a million unless told otherwise, and prints what lists, searches, exports and
 * statistics cost at the database, with the plans of the slowest. Started by `npm run bench -- alerts`.
 */
import { alertStatuses } from '@portcullis/contracts/records';
import type { AlertListQuery } from '@portcullis/contracts/routes/alerts';
import type { Database } from '@portcullis/platform/database/database';
import { insertAlertRecords } from '@portcullis/platform/spool/record-inserts';
import { databaseKinds, openTestDatabase, type DatabaseKind } from '@portcullis/platform/test/test-database';
import { sql } from 'kysely';
import { loadAlertFilterOrThrow, parsePagingOrThrow } from '../../src/alerts/alert-filter.ts';
import { loadAlertStats } from '../../src/alerts/alert-stats.ts';
import { exportJson } from '../../src/alerts/export-alerts.ts';
import { loadAlertGroups } from '../../src/alerts/load-alert-groups.ts';
import { loadAlertPage } from '../../src/alerts/load-alert-page.ts';
import { fillAlerts, makeAlertRecords } from './fill-alerts.ts';
import { print, Report, takeLines } from './report.ts';
import { timeFromHere } from './statements.ts';

const [kinds = databaseKinds.join(','), size = '1000000'] = process.argv.slice(2);
const count = Number(size);

const lists: Readonly<Record<string, Partial<AlertListQuery>>> = {
  'no filter': {},
  'severity=Critical': { severity: 'Critical' },
  'severity=Critical,High, status=new': { severity: 'Critical,High', status: 'new' },
  'status=resolved': { status: 'resolved' },
  'category=Tool Security': { category: 'Tool Security' },
  'proxy=3': { proxy: 3 },
  'proxy=3, severity=High': { proxy: 3, severity: 'High' },
  'proxy_type=mcp, category=Tool Security': { proxy_type: 'mcp', category: 'Tool Security' },
  'policy_name=policy-7': { policy_name: 'policy-7' },
  'rule_id=RULE_42': { rule_id: 'RULE_42' },
  'user=key-5': { user: 'key-5' },
  'time_range=24h': { time_range: '24h' },
  'time_range=30d, severity=High': { time_range: '30d', severity: 'High' },
  'proxy=3, category=Tool Security': { proxy: 3, category: 'Tool Security' },
  'user=key-5, category=Tool Security': { user: 'key-5', category: 'Tool Security' },
  'policy_name=policy-7, team=team-5': { policy_name: 'policy-7', team: 'team-5' },
  'proxy=3, team=team-5': { proxy: 3, team: 'team-5' },
  'rule_id=RULE_42, user=key-5': { rule_id: 'RULE_42', user: 'key-5' },
  'three policies, proxy=3': { policy_name: 'policy-7,policy-8,policy-9', proxy: 3 },
  'shadow=true': { shadow: true },
  'shadow=false': { shadow: false },
  'shadow=false, severity=High': { shadow: false, severity: 'High' },
  request_id: { request_id: 'request-77' },
  'assignee=admin': { assignee: 'admin' },
  'assignee=none, status=new': { assignee: 'none', status: 'new' },
  'sort=severity': { sort: 'severity' },
  'sort=status, order=asc': { sort: 'status', order: 'asc' },
  search: { search: 'zanzibar' },
  'search, status=resolved': { search: 'zanzibar', status: 'resolved' },
  'search, category=Other': { search: 'zanzibar', category: 'Other' },
  'search, proxy=3': { search: 'zanzibar', proxy: 3 },
  'search, user=key-5': { search: 'zanzibar', user: 'key-5' },
  'search, user=key-5, category=Tool Security': {
    search: 'zanzibar',
    user: 'key-5',
    category: 'Tool Security',
  },
  'search, policy_name=policy-7, team=team-5': {
    search: 'zanzibar',
    policy_name: 'policy-7',
    team: 'team-5',
  },
  'search, category=Other, severity=Low (none)': { search: 'zanzibar', category: 'Other', severity: 'Low' },
};

const exports: Readonly<Record<string, Partial<AlertListQuery>>> = {
  export: {},
  'export, policy_name=policy-7, team=team-5': { policy_name: 'policy-7', team: 'team-5' },
  'export, category=Other, severity=Low (none)': { category: 'Other', severity: 'Low' },
};

const groups: Readonly<Record<string, Partial<AlertListQuery>>> = {
  'status=new': { status: 'new' },
  'policy_name=policy-7': { policy_name: 'policy-7' },
  'rule_id=RULE_42': { rule_id: 'RULE_42' },
  'shadow=false': { shadow: false },
  'assignee=none, status=new': { assignee: 'none', status: 'new' },
  'proxy=3, team=team-5': { proxy: 3, team: 'team-5' },
  search: { search: 'zanzibar' },
};

async function measure(kind: DatabaseKind): Promise<void> {
  await using database = await openTestDatabase(kind, { queryTimeoutMs: 600_000 });
  const start = performance.now();
  await fillAlerts(database, count);
  const seconds = Math.round((performance.now() - start) / 1_000);
  const report = new Report(database);
  await report.head(kind, `${count} alerts, filled in ${seconds} s.`);
  for (const [name, given] of Object.entries(lists)) await measureList(report, name, given);
  for (const [name, given] of Object.entries(exports)) {
    const filter = await loadAlertFilterOrThrow(database, given);
    const load = (from: Database) => takeLines(exportJson(from, filter), 500);
    await report.line({ name: `${name}, 500 of it`, place: 0, load });
  }
  for (const range of [undefined, '30d', '24h'] as const) {
    const window = range === undefined ? {} : await loadAlertFilterOrThrow(database, { time_range: range });
    const load = (from: Database) => loadAlertStats(from, window, new Date());
    await report.line({ name: `statistics, ${range ?? 'all times'}`, place: 0, load });
  }
  for (const [name, given] of Object.entries(groups)) {
    const filter = await loadAlertFilterOrThrow(database, given);
    const part = { by: 'rule_caller', limit: 20, offset: 0 } as const;
    await report.line({ name: `groups, ${name}`, place: 0, load: (from) => loadAlertGroups(from, filter, part) });
    await report.line({
      name: `statistics, ${name}`,
      place: 0,
      load: (from) => loadAlertStats(from, filter, new Date()),
    });
  }
  print('\n| change | ms, with the way there and back |\n|---|---:|');
  print(`| status of one alert | ${(await timeFromHere(() => moveSomeAlert(database))).toFixed(1)} |`);
  for (const many of [1, 500]) {
    const ms = await timeFromHere(() => insertAlertRecords(database.kysely, JSON.stringify(makeAlertRecords(many))));
    print(`| ${many} new | ${ms.toFixed(1)} |`);
  }
  report.plans(3);
}

/** Its first page, one in the middle and the last. */
async function measureList(report: Report, name: string, given: Partial<AlertListQuery>): Promise<void> {
  const loadFrom = (offset: number) => async (database: Database) => {
    const query: AlertListQuery = {
      sort: 'created_at',
      order: 'desc',
      limit: 20,
      offset,
      include_raw_data: false,
      ...given,
    };
    return loadAlertPage(database, await loadAlertFilterOrThrow(database, query), parsePagingOrThrow(query));
  };
  const total = await report.line({ name, place: 0, load: loadFrom(0) });
  for (const place of new Set([Math.floor(total / 2), Math.max(0, total - 20)])) {
    if (place > 0) await report.line({ name, place, load: loadFrom(place) });
  }
}

const moveSomeAlert = ({ kysely }: Database) =>
  sql`
  update alerts set status = ${alertStatuses[1]}, updated_at = now()
  where id = (select id from alerts where status = 'new' and deleted_at is null limit 1)`.execute(kysely);

for (const kind of databaseKinds) if (kinds.split(',').includes(kind)) await measure(kind);
