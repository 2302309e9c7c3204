import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Alert } from '@portcullis/contracts/events';
import { alertActions, alertCategories, alertStatuses, severities } from '@portcullis/contracts/records';
import type { AlertFilters, AlertListQuery } from '@portcullis/contracts/routes/alerts';
import { stores, openTestDatabase } from '@portcullis/platform/test/test-database';
import type { Database } from '@portcullis/platform/database/database';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { alertRecord, record } from '../../test/records.ts';
import { loadAlertFilterOrThrow, parseAlertFilterOrThrow, parsePagingOrThrow } from './alert-filter.ts';
import { removeAlerts } from './alert-retention.ts';
import { deleteAlertsBefore } from './delete-alerts.ts';
import { loadAlertStats } from './alert-stats.ts';
import { loadAlertGroups } from './load-alert-groups.ts';
import { loadAlertPage } from './load-alert-page.ts';
import { changeAlertStatus } from './change-alert-status.ts';

const now = new Date('2026-05-20T09:30:00Z');
const count = 240;
const pick = <Value>(values: readonly Value[], number: number): Value => values[number % values.length] as Value;

/** Alerts of eight days, several at one moment, with every property spread differently. */
const recordNumber = (number: number) =>
  alertRecord({
    timestamp: new Date(now.getTime() - Math.floor(number / 3) * 2.4 * 3_600_000).toISOString(),
    severity: pick(severities, number * 7 + (number >> 3)),
    category: pick(alertCategories, number * 5),
    action: pick(alertActions, number >> 2),
    proxy_id: number % 5 === 0 ? null : number % 3,
    proxy_type: pick(['llm', 'mcp', 'a2a'], number >> 1),
    policy_name: pick(['one', 'two', 'three'], number),
    rule_id: pick(['A', 'B', 'C', 'D'], number >> 1),
    user_identity: number % 4 === 0 ? null : pick(['ann', 'ben'], number >> 3),
    user_group: number % 4 === 0 ? null : 'team',
    title: `Alert ${number}`,
    request_id: number % 9 === 0 ? null : `request-${number % 20}`,
    raw_data: number % 5 === 1 ? { shadow: true } : {},
  });

const some = (values: readonly string[]) =>
  fc.subarray([...values], { minLength: 1, maxLength: 2 }).map((chosen) => chosen.join(','));
const query = fc.record(
  {
    severity: some(severities),
    status: some(alertStatuses),
    category: some(alertCategories),
    action: some(alertActions),
    proxy_type: some(['llm', 'mcp', 'a2a']),
    proxy: fc.integer({ min: 1, max: 4 }),
    policy_name: some(['one', 'two', 'three', 'none']),
    rule_id: some(['A', 'B', 'C', 'D']),
    user: some(['ann', 'ben']),
    team: fc.constant('team'),
    request_id: fc.constantFrom('request-3', 'request-none'),
    shadow: fc.boolean(),
    assignee: fc.constantFrom('none', 'ann', 'ann,ben', 'me', 'stranger'),
    search: fc.constantFrom('alert 1', 'one', 'nowhere', 'request-4'),
    time_range: fc.constantFrom('1h', '24h', '3d', '30d'),
    date_from: fc.constantFrom('2026-05-15', '2026-05-16T11:00:00Z'),
    date_to: fc.constantFrom('2026-05-18', '2026-05-17T21:10:00Z'),
    sort: fc.constantFrom('created_at' as const, 'severity' as const, 'status' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.integer({ min: 0, max: count + 10 }),
    include_raw_data: fc.boolean(),
  },
  { requiredKeys: ['sort', 'order', 'limit', 'offset', 'include_raw_data'] },
);

const fields = {
  severity: 'severity',
  status: 'status',
  category: 'category',
  action: 'action',
  proxy_type: 'proxy_type',
  policy_name: 'policy_name',
  rule_id: 'rule_id',
  user: 'user_identity',
  team: 'user_group',
  proxy: 'proxy_id',
} as const;

const searched = ({ title, description, rule_id, policy_name, source, target }: Alert): string =>
  [title, description, rule_id, policy_name, source, target].join('\n').toLowerCase();

const isAssigned = ({ assignee }: Alert, wanted: string): boolean =>
  assignee === null ? wanted === 'none' : wanted.split(',').includes(assignee.username);

const ben = { kind: 'user' as const, id: 2, username: 'ben', role: 'operator' as const };
const windowOf = (wanted: AlertFilters) => parseAlertFilterOrThrow(wanted, { now });

/** What the list must be, worked out from all alerts. */
function expectedIds(alerts: readonly Alert[], wanted: AlertListQuery): number[] {
  const { from, to } = windowOf(wanted);
  const passing = alerts.filter(
    (alert) =>
      Object.entries(fields).every(([field, column]) => {
        const value = wanted[field as keyof typeof fields];
        return value === undefined || String(value).split(',').includes(String(alert[column]));
      }) &&
      (wanted.request_id === undefined || alert.request_id === wanted.request_id) &&
      (wanted.shadow === undefined || wanted.shadow === (alert.raw_data['shadow'] === true)) &&
      (wanted.assignee === undefined || isAssigned(alert, wanted.assignee.replace('me', 'ben'))) &&
      (from === undefined || new Date(alert.created_at) >= from) &&
      (to === undefined || new Date(alert.created_at) < to) &&
      (wanted.search === undefined || searched(alert).includes(wanted.search) || alert.request_id === wanted.search),
  );
  const newestFirst = (a: Alert, b: Alert) => b.created_at.localeCompare(a.created_at) || b.id - a.id;
  const sign = wanted.order === 'desc' ? -1 : 1;
  const rank = (alert: Alert) =>
    wanted.sort === 'severity' ? -severities.indexOf(alert.severity) : alertStatuses.indexOf(alert.status);
  return passing
    .toSorted((a, b) =>
      wanted.sort === 'created_at' ? -sign * newestFirst(a, b) : sign * (rank(a) - rank(b)) || newestFirst(a, b),
    )
    .map(({ id }) => id);
}

const call = {
  caller: { kind: 'user' as const, id: 1, username: 'admin', role: 'admin' as const },
  clientIp: '127.0.0.1',
  userAgent: 'test',
  requestId: 'test',
};

describe.each(stores)('alert lists (%s)', (kind) => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let alerts: readonly Alert[];
  const filterOf = (wanted: AlertFilters) => loadAlertFilterOrThrow(database, wanted, { now, caller: ben });
  const load = async (wanted: AlertListQuery) =>
    loadAlertPage(database, await filterOf(wanted), parsePagingOrThrow(wanted));
  const loadAll = () => load({ sort: 'created_at', order: 'desc', limit: 1_000, offset: 0, include_raw_data: true });

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    const { dataDirectory } = database.address;
    await record(
      { database, dataDirectory },
      Array.from({ length: count }, (_, number) => recordNumber(number)),
    );
    const ids = (await loadAll()).alerts.map(({ id }) => id);
    for (const [place, status] of alertStatuses.slice(1).entries()) {
      const chosen = ids.filter((id) => id % 6 === place);
      await changeAlertStatus(database, call, chosen, { to: status }, () => ({
        event: 'alert.bulk.updated',
        resource: null,
      }));
    }
    await sql`insert into users (username, email, role, password_hash) values
      ('ann', 'ann@example.org', 'operator', ''), ('ben', 'ben@example.org', 'operator', '')`.execute(database.kysely);
    await sql`update alerts set assignee_id = (select id from users
      where username = case id % 4 when 0 then 'ann' else 'ben' end) where id % 4 < 2`.execute(database.kysely);
    await sql`update alerts set deleted_at = now() where id % 11 = 0`.execute(database.kysely);
    alerts = (await loadAll()).alerts.map((alert) => ({ raw_data: {}, ...alert }));
  });
  afterAll(async () => database[Symbol.asyncDispose]());

  test('have every page and the total right, for every filter, order and place', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (wanted) => {
        const ids = expectedIds(alerts, wanted);
        const page = await load(wanted);
        expect(page.alerts.every((alert) => 'raw_data' in alert === wanted.include_raw_data)).toBe(true);
        expect(page.alerts.map(({ id }) => id)).toEqual(ids.slice(wanted.offset, wanted.offset + wanted.limit));
        expect(page.total).toBe(ids.length);
        expect(page.total_pages).toBe(Math.ceil(ids.length / wanted.limit));
      }),
      { numRuns: 150 },
    );
  });

  test('have statistics and groups that agree with them, for every filter', async () => {
    const by = fc.constantFrom('rule' as const, 'caller' as const, 'rule_caller' as const);
    await fc.assert(
      fc.asyncProperty(query, by, async (wanted, grouping) => {
        const ids = new Set(expectedIds(alerts, wanted));
        const passing = alerts.filter(({ id }) => ids.has(id));
        const stats = await loadAlertStats(database, await filterOf(wanted), now);
        expect([stats.total, stats.series.reduce((sum, { count: of }) => sum + of, 0)]).toEqual([ids.size, ids.size]);
        for (const [counted, field] of Object.entries({ by_severity: 'severity', by_status: 'status' } as const)) {
          const tally = stats[counted as 'by_severity' | 'by_status'];
          for (const [name, number] of Object.entries(tally))
            expect([name, number]).toEqual([name, passing.filter((alert) => alert[field] === name).length]);
        }
        expect(stats.top_rules.reduce((sum, { count: of }) => sum + of, 0)).toBe(ids.size);

        const page = { by: grouping, limit: 200, offset: 0 };
        const { groups, ...told } = await loadAlertGroups(database, await filterOf(wanted), page);
        const keyOf = (alert: Pick<Alert, 'policy_name' | 'rule_id' | 'user_identity' | 'user_group'>) =>
          JSON.stringify([
            ...(grouping === 'caller' ? [null, null] : [alert.policy_name, alert.rule_id]),
            ...(grouping === 'rule' ? [null, null] : [alert.user_identity, alert.user_group]),
          ]);
        const truth = Map.groupBy(passing, keyOf);
        expect([groups.length, told.total, told.counted, told.counted_from]).toEqual([
          truth.size,
          truth.size,
          ids.size,
          null,
        ]);
        for (const group of groups) {
          const members =
            truth.get(JSON.stringify([group.policy_name, group.rule_id, group.user_identity, group.user_group])) ?? [];
          const open = members.filter(({ status }) => status !== 'resolved' && status !== 'false_positive');
          const [gravest] = members.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
          expect([group.count, group.open, group.severity]).toEqual([members.length, open.length, gravest?.severity]);
        }
        const behind = await loadAlertGroups(database, await filterOf(wanted), { ...page, offset: 1_000 });
        expect([behind.groups, behind.total]).toEqual([[], truth.size]);
      }),
      { numRuns: 100 },
    );
  });

  test('rest on counters that follow every change, also of many at once', async () => {
    const ids = alerts.slice(0, 20).map(({ id }) => id);
    await Promise.all([
      ...ids.map((id) =>
        changeAlertStatus(database, call, [id], { to: 'resolved' }, () => ({
          event: 'alert.status.changed',
          resource: null,
        })),
      ),
      changeAlertStatus(database, call, ids.toReversed(), { to: 'false_positive' }, () => ({
        event: 'alert.bulk.updated',
        resource: null,
      })),
    ]);
    expect(await countersAndTruth(database)).toEqual({ counted: count - 21, live: count - 21, wrong: 0 });

    await deleteAlertsBefore(database, call, new Date('2026-05-15T12:00:00Z'));
    const { counted, live, wrong } = await countersAndTruth(database);
    expect([counted, wrong]).toEqual([live, 0]);
    expect(live).toBeLessThan(count - 21);
  });

  test('are searched bit by bit, each saying where to go on', async () => {
    const filler = sql`select gen_random_uuid(), 'Low', 'Haystack', case n % 1000 when 7 then 'Needle' else 'Straw' end, 'new',
      'Block', 'Other', 'here', 'there', 'HAY', 'hay', ${now}::timestamptz - n / 2 * interval '1 second'
      from generate_series(1, 9000) as n`;
    await sql`insert into alerts (event_id, severity, title, description, status, action, category, source, target, rule_id,
      policy_name, created_at) ${filler}`.execute(database.kysely);
    const wanted = {
      sort: 'created_at',
      order: 'desc',
      limit: 100,
      offset: 0,
      policy_name: 'hay',
      search: 'NEEDLE',
      include_raw_data: false,
    } as const;
    const found: number[] = [];
    let end: string | undefined;
    do {
      const page = await load({ ...wanted, ...(end !== undefined && { date_to: end }) });
      found.push(page.total);
      end = page.searched_from ?? undefined;
    } while (end !== undefined);
    expect(found).toEqual([2, 2, 2, 2, 1]);
    await sql`delete from alerts where policy_name = 'hay'`.execute(database.kysely);
  });

  test('lose what has expired, and what was deleted a week ago, for good', async () => {
    await sql`update alerts set deleted_at = now() - interval '8 days' where id = (
      select min(id) from alerts where deleted_at is not null)`.execute(database.kysely);
    await sql`insert into alert_deliveries (alert_id, channel, status, attempts) select id, 'chat', 'delivered', 1
      from alerts`.execute(database.kysely);
    const stored = await storedAlerts(database);
    expect(await removeAlerts(database, Date.now() - new Date('2026-01-01').getTime())).toBe(1);
    expect(await storedAlerts(database)).toBe(stored - 1);

    await removeAlerts(database, Date.now() - new Date('2026-05-17T12:00:00Z').getTime());
    const { counted, live, wrong } = await countersAndTruth(database);
    expect([counted, wrong]).toEqual([live, 0]);
    const oldest = (await loadAll()).alerts.at(-1)?.created_at ?? '';
    expect(oldest >= '2026-05-17T12:00:00').toBe(true);
    const orphans = await sql`select from alert_deliveries where alert_id not in (select id from alerts)`.execute(
      database.kysely,
    );
    expect(orphans.rows).toEqual([]);
  });

  test('rest on counters that follow random changes', async () => {
    const { kysely } = database;
    const change = fc.record({
      ids: fc.uniqueArray(fc.integer({ min: 1, max: count + 60 }), { minLength: 1, maxLength: 40 }),
      how: fc.constantFrom('status', 'delete', 'restore', 'remove', 'rewrite', 'add'),
      status: fc.constantFrom(...alertStatuses),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ ids, how, status }) => {
        const chosen = sql`where id = any(${ids})`;
        await {
          status: sql`update alerts set status = ${status} ${chosen}`,
          delete: sql`update alerts set deleted_at = now() ${chosen}`,
          restore: sql`update alerts set deleted_at = null ${chosen}`,
          remove: sql`delete from alerts ${chosen}`,
          rewrite: sql`update alerts set source = 'elsewhere', rule_id = 'E', proxy_id = null,
            created_at = created_at - interval '9 days' ${chosen}`,
          add: sql`insert into alerts (event_id, severity, title, description, status, action, category, source, target,
            rule_id, policy_name, created_at) select gen_random_uuid(), severity, title, description, ${status}, action,
            category, source, target, rule_id, policy_name, created_at from alerts ${chosen}`,
        }[how].execute(kysely);
        const { counted, live, wrong } = await countersAndTruth(database);
        expect([counted, wrong]).toEqual([live, 0]);
      }),
      { numRuns: 40 },
    );
  });
});

const storedAlerts = async ({ kysely }: Database): Promise<number> =>
  (await kysely.selectFrom('alerts').select('id').execute()).length;

/** Counts by what the tables should hold, and how many counters are not so. */
async function countersAndTruth({ kysely }: Database) {
  const { rows } = await sql<{ counted: number; live: number; wrong: number }>`
    with live as (
      select *, to_char(created_at at time zone 'utc', 'YYYY-MM-DD') as day,
        to_char(date_trunc('week', created_at at time zone 'utc'), '"W"YYYY-MM-DD') as week
      from alerts where deleted_at is null
    ), truth as (
      select concat_ws('|', day, severity, status, category, action, coalesce(proxy_type, '')) as key from live
      union all
      select concat_ws('|', subject, value, day, severity, status) from live, lateral (values ('all', ''),
        ('proxy', proxy_id::text), ('policy', policy_name), ('rule', rule_id), ('user', user_identity),
        ('group', user_group)) as subjects (subject, value) where value is not null
      union all
      select concat_ws('|', 'top', subject, period, value) from live, lateral (values ('policy', policy_name),
        ('rule', rule_id), ('source', source)) as subjects (subject, value),
        lateral (values (day), (week), ('')) as periods (period)
    ), counters as (
      select concat_ws('|', day, severity, status, category, action, proxy_type) as key, count from alert_kind_counts
      union all
      select concat_ws('|', subject, value, day, severity, status), count from alert_subject_counts
      union all
      select concat_ws('|', 'top', subject, period, value), count from alert_top_counts
    )
    select (select sum(count)::bigint from alert_kind_counts) as counted, (select count(*) from live) as live,
      (select count(*) from counters full join (select key, count(*) as real from truth group by key) as truths using (key)
        where coalesce(counters.count, 0) <> coalesce(truths.real, 0)) as wrong`.execute(kysely);
  return rows[0] ?? { counted: -1, live: -1, wrong: -1 };
}
