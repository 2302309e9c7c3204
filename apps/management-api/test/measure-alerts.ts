/**
 * Fills a database with alerts, a million unless told otherwise, and prints how long lists, totals and
 * statistics take at the database, with the plans of their queries. Started by `npm run bench -- alerts`.
 */
import { alertStatuses } from '@portcullis/contracts/records';
import type { AlertListQuery } from '@portcullis/contracts/routes/alerts';
import type { Database } from '@portcullis/platform/database/database';
import { databaseKinds, openTestDatabase, type DatabaseKind } from '@portcullis/platform/test/test-database';
import { CompiledQuery, sql, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { parseAlertFilterOrThrow, parsePagingOrThrow } from '../src/alerts/alert-filter.ts';
import { loadAlertStats } from '../src/alerts/alert-stats.ts';
import { loadAlertPage } from '../src/alerts/load-alert-page.ts';

const [kinds = databaseKinds.join(','), size = '1000000'] = process.argv.slice(2);
const count = Number(size);
const batch = 50_000;
const rounds = 15;

const lists: Readonly<Record<string, Partial<AlertListQuery>>> = {
  'no filter': {},
  'severity=Critical': { severity: 'Critical' },
  'severity=Critical,High, status=new': { severity: 'Critical,High', status: 'new' },
  'status=resolved': { status: 'resolved' },
  'proxy_id=3': { proxy_id: 3 },
  'proxy_id=3, severity=High': { proxy_id: 3, severity: 'High' },
  'proxy_type=mcp, category=Tool Security': { proxy_type: 'mcp', category: 'Tool Security' },
  'policy_name=policy-7': { policy_name: 'policy-7' },
  'rule_id=RULE_42': { rule_id: 'RULE_42' },
  'time_range=24h': { time_range: '24h' },
  'time_range=30d, severity=High': { time_range: '30d', severity: 'High' },
  'proxy_id=3, category=Tool Security': { proxy_id: 3, category: 'Tool Security' },
  'user_identity=key-5': { user_identity: 'key-5' },
  'sort=severity': { sort: 'severity' },
  'sort=status, order=asc': { sort: 'status', order: 'asc' },
  'search=zanzibar': { search: 'zanzibar' },
  'search=zanzibar, proxy_id=3': { search: 'zanzibar', proxy_id: 3 },
};

/** Ninety days in which a few rules and sources cause most; older alerts are mostly resolved. */
const fill = (kysely: Database['kysely'], from: number, to: number) =>
  sql`
  insert into alerts (event_id, request_id, severity, title, description, status, action, category, proxy_id, proxy_type,
    source, target, rule_id, policy_name, user_identity, user_type, user_group, raw_data, created_at)
  select gen_random_uuid(), gen_random_uuid()::text, (array['Critical', 'High', 'Medium', 'Low'])[1 + rule * 7 % 4],
    'Security Rule Triggered: rule ' || rule, 'Rule ' || rule || ' matched a request on proxy ' || proxy,
    case when random() < least(0.9, n::float / ${count} + 0.1) then (array['resolved', 'false_positive', 'acknowledged',
      'in_progress'])[1 + floor(random() ^ 3 * 4)::int] else 'new' end,
    (array['Block', 'Monitor', 'Redact'])[1 + rule % 3],
    (array['Policy Violations', 'Content Security', 'Tool Security', 'Guardrails', 'Other', 'Traffic Analysis'])[1 + rule % 6],
    proxy, case when proxy % 3 = 0 then 'mcp' else 'llm' end, '10.0.' || source / 250 || '.' || source % 250,
    '/v1/chat/completions', 'RULE_' || rule, 'policy-' || rule % 15, 'key-' || source % 60, 'apikey', 'team-' || source % 12,
    '{"findings": [{"evidence": "ig***ore", "direction": "request"}]}', now() - n * interval '90 days' / ${count}
  from (select n, floor(random() ^ 2 * 250)::int as rule, 1 + floor(random() * 20)::int as proxy,
    floor(random() ^ 2 * 2000)::int as source from generate_series(${from}::int, ${to}::int) as n) as rows`.execute(
    kysely,
  );

async function fillAll(database: Database): Promise<void> {
  await sql`alter table alerts disable trigger user`.execute(database.kysely);
  for (let from = 1; from <= count; from += batch) {
    await fill(database.kysely, from, Math.min(count, from + batch - 1));
  }
  await sql`select recount_alerts()`.execute(database.kysely);
  await sql`alter table alerts enable trigger user`.execute(database.kysely);
  await sql`vacuum analyze`.execute(database.kysely);
}

async function time(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const [first = 0] = times;
  const sorted = times.toSorted((a, b) => a - b);
  return [first, sorted[Math.floor(rounds / 2)] ?? 0, sorted.at(-1) ?? 0].map((ms) => ms.toFixed(1)).join(' | ');
}

async function measure(kind: DatabaseKind): Promise<void> {
  await using database = await openTestDatabase(kind, { queryTimeoutMs: 600_000 });
  const start = performance.now();
  await fillAll(database);
  const { rows } = await sql<{ version: string; counters: string }>`select split_part(version(), ' ', 2) as version,
    (select count(*) from alert_kind_counts) || ' + ' || (select count(*) from alert_subject_counts) as counters`.execute(
    database.kysely,
  );
  print(`## ${kind === 'server' ? 'PostgreSQL' : 'PGlite'} ${rows[0]?.version}\n`);
  print(
    `${count} alerts, ${rows[0]?.counters} counter rows, filled in ${Math.round((performance.now() - start) / 1_000)} s.\n`,
  );
  print('| list of 20 | total | place | first ms | median ms | longest ms |\n|---|---:|---:|---:|---:|---:|');
  for (const [name, given] of Object.entries(lists)) await measureList(database, name, given);
  print('\n| other | first ms | median ms | longest ms |\n|---|---:|---:|---:|');
  print(`| statistics of all times | ${await time(() => loadAlertStats(database, {}, new Date()))} |`);
  for (const range of ['24h', '30d']) {
    const window = parseAlertFilterOrThrow({ time_range: range });
    print(`| statistics, ${range} | ${await time(() => loadAlertStats(database, window, new Date()))} |`);
  }
  print(`| status of one alert, with its counters | ${await time(() => moveSomeAlert(database))} |`);
  await printPlans(database);
}

async function measureList(database: Database, name: string, given: Partial<AlertListQuery>): Promise<void> {
  const load = (offset: number) => {
    const query: AlertListQuery = { sort: 'created_at', order: 'desc', limit: 20, offset, ...given };
    return loadAlertPage(database, parseAlertFilterOrThrow(query), parsePagingOrThrow(query));
  };
  const { total } = await load(0);
  for (const offset of new Set([0, Math.floor(total / 2), Math.max(0, total - 20)])) {
    print(`| ${name} | ${total} | ${offset} | ${await time(() => load(offset))} |`);
  }
}

const moveSomeAlert = ({ kysely }: Database) =>
  sql`
  update alerts set status = ${alertStatuses[1]}, updated_at = now()
  where id = (select id from alerts where status = 'new' and deleted_at is null limit 1)`.execute(kysely);

async function printPlans(database: Database): Promise<void> {
  for (const [name, offset] of [
    ['no filter', Math.floor(count / 2)],
    ['severity=Critical,High, status=new', 0],
  ] as const) {
    const nodes: RootOperationNode[] = [];
    const collect: KyselyPlugin = {
      transformQuery: ({ node }) => (nodes.push(node), node),
      transformResult: async ({ result }) => result,
    };
    const query: AlertListQuery = { sort: 'created_at', order: 'desc', limit: 20, offset, ...lists[name] };
    const kysely = database.kysely.withPlugin(collect);
    await loadAlertPage({ ...database, kysely }, parseAlertFilterOrThrow(query), parsePagingOrThrow(query));
    print(`\n### Plans: ${name}, from ${offset}\n\n\`\`\``);
    for (const node of nodes) {
      const { sql: text, parameters } = database.kysely.getExecutor().compileQuery(node, { queryId: 'plan' });
      const { rows } = await database.kysely.executeQuery<{ 'QUERY PLAN': string }>(
        CompiledQuery.raw(`explain (analyze, costs off) ${text}`, [...parameters]),
      );
      print(rows.map((row) => row['QUERY PLAN'].slice(0, 200)).join('\n'));
    }
    print('```');
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

for (const kind of databaseKinds) if (kinds.split(',').includes(kind)) await measure(kind);
