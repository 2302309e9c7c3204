import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveEventsTopic, type Alert, type LiveEvent } from '@portcullis/contracts/events';
import {
  bulkAcknowledgeAlerts,
  bulkResolveAlerts,
  deleteAlert,
  deleteOldAlerts,
  exportAlerts,
  getAlert,
  getAlertStats,
  listAlerts,
  setAlertStatus,
} from '@portcullis/contracts/routes/alerts';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { alertRecord, record } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe.each(stores)('work on alerts (%s)', (store) => {
  let management: TestManagement;
  const events: LiveEvent[] = [];
  beforeAll(async () => {
    management = await startManagement(store);
    await management.infrastructure.coordination.bus.subscribe(liveEventsTopic, (event) => {
      events.push(event as LiveEvent);
    });
  });
  afterAll(() => management.stop());

  const add = async (...alerts: Parameters<typeof alertRecord>[0][]): Promise<number[]> => {
    const run = `run-${Math.random()}`;
    await record(
      management.infrastructure,
      alerts.map((fields) => alertRecord({ policy_name: run, ...fields })),
    );
    const page = await management.admin.data(listAlerts, { query: { policy_name: run, order: 'asc' } });
    return page.alerts.map(({ id }) => id);
  };
  const statusOf = async (id: number) => (await management.admin.data(getAlert, { params: { id } })).status;
  const audited = async (type: string) =>
    management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('event_type', '=', type)
      .orderBy('id')
      .execute();
  const download = (query: string, token = management.adminToken) =>
    fetch(`${management.origin}/api/v1/system/alerts/export?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });

  test('one alert shows who moved it, from where to where, and when', async () => {
    const [id = 0] = await add({ title: 'SignInDetails in full' });
    const operator = management.anonymous.as(await management.signIn('operator'));
    for (const status of ['new', 'open']) {
      expect(await operator.refusal(setAlertStatus, { params: { id }, body: { status } })).toMatchObject({
        status: 400,
        problems: [
          {
            path: '/body/status',
            rule: 'cannot follow new; possible: acknowledged, in_progress, resolved, false_positive',
          },
        ],
      });
    }
    await operator.data(setAlertStatus, { params: { id }, body: { status: 'investigating' } });
    await management.admin.data(setAlertStatus, { params: { id }, body: { status: 'resolved' } });
    await management.admin.data(setAlertStatus, { params: { id }, body: { status: 'resolved' } });

    const viewer = management.anonymous.as(await management.signIn('viewer'));
    const alert = await viewer.data(getAlert, { params: { id } });
    expect(alert).toMatchObject({ title: 'SignInDetails in full', status: 'resolved', deliveries: [] });
    expect(alert.timeline).toMatchObject([
      { actor: expect.stringContaining('operator'), from: 'new', to: 'in_progress' },
      { actor: 'admin', actor_id: 1, from: 'in_progress', to: 'resolved' },
    ]);
    expect((await audited('alert.status.changed')).slice(-2)).toMatchObject([
      { actor_role: 'operator', resource_id: String(id), changes: { status: { from: 'new', to: 'in_progress' } } },
      { actor_name: 'admin', changes: { status: { from: 'in_progress', to: 'resolved' } } },
    ]);
    expect(await management.admin.status(getAlert, { params: { id: 999_999 } })).toBe(404);
    expect(await management.admin.status(getAlert, { params: { id: 'one' } })).toBe(400);
  });

  test('many alerts are moved at once, and each one is answered for', async () => {
    const [fresh = 0, done = 0, known = 0] = await add({}, {}, {});
    await management.admin.data(setAlertStatus, { params: { id: done }, body: { status: 'resolved' } });
    await management.admin.data(setAlertStatus, { params: { id: known }, body: { status: 'acknowledged' } });
    const operator = management.anonymous.as(await management.signIn('operator'));
    const alertIds = [999_999, known, fresh, done];
    expect(await operator.data(bulkAcknowledgeAlerts, { body: { alert_ids: alertIds } })).toEqual({
      updated: 1,
      unchanged: 1,
      not_allowed: 1,
      not_found: 1,
      results: [
        { id: 999_999, outcome: 'not_found', status: null },
        { id: known, outcome: 'unchanged', status: 'acknowledged' },
        { id: fresh, outcome: 'updated', status: 'acknowledged' },
        { id: done, outcome: 'not_allowed', status: 'resolved' },
      ],
    });
    expect(await operator.data(bulkResolveAlerts, { body: { alert_ids: alertIds } })).toMatchObject({ updated: 2 });
    expect(await Promise.all([fresh, done, known].map(statusOf))).toEqual(['resolved', 'resolved', 'resolved']);
    await waitFor(
      () =>
        events.filter(({ type, payload }) => type === 'alert' && 'id' in payload && payload.id === fresh).length === 2,
      { what: 'the events' },
    );
    expect((await audited('alert.bulk.updated')).at(-1)).toMatchObject({
      result: 'partial',
      details: { status: 'resolved', updated: 2, not_found: 1 },
    });
  });

  test.each([{ alert_ids: [] }, { alert_ids: ['x'] }, { alert_ids: [0] }, {}, { alert_ids: Array(1_001).fill(1) }])(
    'many alerts are refused as %#',
    async (body) => {
      expect(await management.admin.status(bulkResolveAlerts, { body })).toBe(400);
    },
  );

  test('viewers change nothing, and operators delete nothing', async () => {
    const [id = 0] = await add({});
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    const operator = management.anonymous.as(await management.signIn('operator'));
    for (const route of [bulkAcknowledgeAlerts, bulkResolveAlerts]) {
      expect(await viewer.status(route, { body: { alert_ids: [id] } })).toBe(403);
    }
    expect(await operator.status(deleteAlert, { params: { id } })).toBe(403);
    expect(await operator.status(deleteOldAlerts, { query: { older_than: '1d' } })).toBe(403);
    expect(await statusOf(id)).toBe('new');
  });

  test('a deleted alert is gone from everywhere', async () => {
    const [id = 0, other = 0] = await add({}, {});
    expect(await management.admin.status(deleteAlert, { params: { id } })).toBe(200);
    expect(await management.admin.status(deleteAlert, { params: { id } })).toBe(404);
    expect(await management.admin.status(getAlert, { params: { id } })).toBe(404);
    const outcome = await management.admin.data(bulkResolveAlerts, { body: { alert_ids: [id, other] } });
    expect(outcome.results.map((result) => result.outcome)).toEqual(['not_found', 'updated']);
    expect((await audited('alert.deleted')).at(-1)).toMatchObject({ resource_id: String(id), severity: 'warning' });
  });

  test('old alerts are deleted by their age', async () => {
    const [old = 0, young = 0] = await add({ timestamp: daysAgo(40) }, { timestamp: daysAgo(20) });
    const { deleted } = await management.admin.data(deleteOldAlerts, { query: { older_than: '30d' } });
    expect(deleted).toBe(1);
    expect(await management.admin.status(getAlert, { params: { id: old } })).toBe(404);
    expect(await statusOf(young)).toBe('new');
    for (const query of [{}, { older_than: 'x' }, { older_than: '0d' }]) {
      expect(await management.admin.status(deleteOldAlerts, { query })).toBe(400);
    }
  });

  test('old alerts stay where their deletion cannot be audited', async () => {
    const [old = 0] = await add({ timestamp: daysAgo(50) });
    const { kysely } = management.infrastructure.database;
    const query = { older_than: '45d' };
    await sql`alter table audit_log rename to audit_log_away`.execute(kysely);
    try {
      expect(await management.admin.status(deleteOldAlerts, { query })).toBe(500);
    } finally {
      await sql`alter table audit_log_away rename to audit_log`.execute(kysely);
    }
    expect(await statusOf(old)).toBe('new');
    expect(await management.admin.data(deleteOldAlerts, { query })).toEqual({ deleted: 1 });
    expect((await audited('alert.deleted')).at(-1)).toMatchObject({ resource_id: null, details: { deleted: 1 } });
  });

  test('pages are counted from 1, and page and offset exclude each other', async () => {
    await add({ rule_id: 'PAGED' }, { rule_id: 'PAGED' }, { rule_id: 'PAGED' });
    const query = { rule_id: 'PAGED', limit: 2 };
    expect(await management.admin.data(listAlerts, { query: { ...query, page: 2 } })).toMatchObject({
      alerts: [expect.anything()],
      total: 3,
      offset: 2,
      page: 2,
      total_pages: 2,
    });
    expect(await management.admin.refusal(listAlerts, { query: { ...query, page: 2, offset: 2 } })).toMatchObject({
      problems: [{ path: '/query/page', rule: 'cannot stand beside offset' }],
    });
    expect(await management.admin.refusal(listAlerts, { query: { limit: 1_001 } })).toMatchObject({
      problems: [{ path: '/query/limit', rule: 'must be 1000 or less' }],
    });
    expect(
      await management.admin.refusal(listAlerts, { query: { date_from: '2026-02-02', date_to: '2026-02-01' } }),
    ).toMatchObject({ status: 400, problems: [{ path: '/query/date_from' }] });
  });

  test('a search says how much it looked through', async () => {
    await add({ title: 'Needle' });
    const page = await management.admin.data(listAlerts, { query: { search: 'NEEDLE', sort: 'severity' } });
    expect(page).toMatchObject({ total: 1, alerts: [{ title: 'Needle' }], searched: expect.any(Number) });
  });

  test('everything is counted by everything', async () => {
    const before = await management.admin.data(getAlertStats);
    const [id = 0] = await add(
      { severity: 'Critical', category: 'Canary Tokens', source: '10.9.9.9', rule_id: 'COUNTED' },
      { severity: 'Critical', timestamp: daysAgo(3), action: 'Monitor', rule_id: 'COUNTED' },
    );
    const after = await management.admin.data(getAlertStats);
    expect(after.total).toBe(before.total + 2);
    expect(after.by_severity['Critical']).toBe((before.by_severity['Critical'] ?? 0) + 2);
    expect(after.by_category['Canary Tokens']).toBe((before.by_category['Canary Tokens'] ?? 0) + 1);
    expect(after.last_6h.total).toBe(before.last_6h.total + 1);
    expect(after.interval).toBe('day');
    expect(after.series.reduce((sum, { count }) => sum + count, 0)).toBe(after.total);
    expect(after.top_rules).toContainEqual({ name: 'COUNTED', count: 2 });

    const day = await management.admin.data(getAlertStats, { query: { time_range: '24h' } });
    expect(day.interval).toBe('hour');
    expect(day.series.reduce((sum, { count }) => sum + count, 0)).toBe(day.total);
    expect(day.top_rules).toContainEqual({ name: 'COUNTED', count: 1 });
    expect(day.top_sources).toContainEqual({ name: '10.9.9.9', count: 1 });
    expect(id).toBeGreaterThan(0);
  });

  test('an export has what the filter lets pass, as JSON or CSV', async () => {
    const rule = `EXPORT_${store}`;
    await add(
      { rule_id: rule, title: '=HYPERLINK("http://evil")', severity: 'Low' },
      { rule_id: rule, title: 'plain, with comma', raw_data: { a: '"' } },
      { rule_id: rule, title: 'other', severity: 'Critical' },
    );
    const json = await download(`rule_id=${rule}&severity=low,high`);
    expect(json.headers.get('content-disposition')).toMatch(/attachment; filename="alerts-.*\.json"/);
    const alerts = (await json.json()) as Alert[];
    const listed = await management.admin.data(listAlerts, { query: { rule_id: rule, severity: 'low,high' } });
    expect(alerts).toEqual(listed.alerts);

    const csv = await download(`rule_id=${rule}&format=csv&search=HYPER`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = (await csv.text()).split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id,created_at/);
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil"")"`);

    expect(await (await download('rule_id=nothing')).json()).toEqual([]);
    for (const query of ['format=xml', 'severity=awful']) expect((await download(query)).status).toBe(400);
    expect(await management.anonymous.status(exportAlerts)).toBe(401);
    expect((await audited('alert.exported')).at(-1)).toMatchObject({ details: { format: 'json', rule_id: 'nothing' } });
  });
});
