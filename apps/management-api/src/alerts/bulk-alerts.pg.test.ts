import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bulkUpdateAlerts } from '@portcullis/contracts/routes/alert-work';
import { getAlert, getAlertStats, listAlerts } from '@portcullis/contracts/routes/alerts';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('many alerts at once (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  const fill = (policy: string, count: number) =>
    sql`insert into alerts (event_id, severity, title, description, action, category, source, target, rule_id, policy_name,
      created_at) select gen_random_uuid(), 'High', 'Flood', 'Of alerts', 'Block', 'Other', 'here', 'there', 'R-' || n % 2,
      ${policy}, now() - n * interval '1 second' from generate_series(1, ${count}::integer) n`.execute(
      management.infrastructure.database.kysely,
    );
  const audited = () =>
    management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('event_type', '=', 'alert.bulk.updated')
      .orderBy('id')
      .execute();

  test('are counted first, then moved in batches, each of them audited', async () => {
    await fill('flood', 1_300);
    const operator = management.anonymous.as(await management.signIn('operator'));
    const change = { status: 'false_positive', reason: 'A load test', filter: { policy_name: 'flood', status: 'new' } };
    const would = { matched: 1_300, updated: 1_300, unchanged: 0, not_allowed: 0, not_found: 0 };
    expect(await operator.data(bulkUpdateAlerts, { body: { ...change, dry_run: true } })).toEqual({
      ...would,
      dry_run: true,
    });
    expect((await management.admin.data(getAlertStats, { query: { policy_name: 'flood' } })).by_status['new']).toBe(
      1_300,
    );
    expect(await audited()).toEqual([]);

    await fill('flood', 1);
    const refused = await operator.refusal(bulkUpdateAlerts, { body: { ...change, count: 1_300 } });
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('1301 alerts match now, not 1300') });
    expect(await operator.data(bulkUpdateAlerts, { body: { ...change, count: 1_301 } })).toMatchObject({
      updated: 1_301,
    });
    const stats = await management.admin.data(getAlertStats, { query: { policy_name: 'flood' } });
    expect(stats.by_status).toMatchObject({ new: 0, false_positive: 1_301 });
    const records = await audited();
    expect(records.map(({ details }) => (details as { updated: number }).updated)).toEqual([500, 500, 301]);
    expect(records[0]).toMatchObject({
      result: 'success',
      actor_role: 'operator',
      details: { reason: 'A load test', filter: change.filter, matched: 1_301 },
    });
    const [one] = (await management.admin.data(listAlerts, { query: { policy_name: 'flood', limit: 1 } })).alerts;
    const { timeline } = await management.admin.data(getAlert, { params: { id: one?.id ?? 0 } });
    expect(timeline).toMatchObject([{ to: 'false_positive', reason: 'A load test' }]);
  });

  // One session at a time has the embedded store: nothing comes between.
  const testOfTwo = store === 'server' ? test : test.skip;
  testOfTwo('that somebody takes on meanwhile are left to them', async () => {
    await fill('taken', 3);
    const filter = { policy_name: 'taken', status: 'new' };
    const [taken] = (await management.admin.data(listAlerts, { query: filter })).alerts;
    const { kysely } = management.infrastructure.database;
    const { answer } = await kysely.transaction().execute(async (transaction) => {
      await sql`update alerts set status = 'in_progress' where id = ${taken?.id}`.execute(transaction);
      const sent = management.admin.data(bulkUpdateAlerts, { body: { status: 'resolved', filter, count: 3 } });
      await waitFor(
        async () => {
          const { rows } = await sql`
            select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
            kysely,
          );
          return rows.length > 0;
        },
        { what: 'the batch to wait for the lock' },
      );
      return { answer: sent };
    });
    expect(await answer).toMatchObject({ matched: 3, updated: 2, not_found: 1 });
    const shown = await management.admin.data(getAlert, { params: { id: taken?.id ?? 0 } });
    expect(shown.status).toBe('in_progress');
  });

  test('are opened again, by their ids and by what a search finds', async () => {
    await fill('reopened', 3);
    const list = async () => (await management.admin.data(listAlerts, { query: { policy_name: 'reopened' } })).alerts;
    const ids = (await list()).map(({ id }) => id);
    const resolve = { status: 'resolved', alert_ids: [...ids.slice(0, 2), 999_999] };
    expect(await management.admin.data(bulkUpdateAlerts, { body: resolve })).toMatchObject({
      updated: 2,
      not_found: 1,
    });
    const open = { status: 'open', filter: { policy_name: 'reopened', search: 'flood' }, count: 3 };
    expect(await management.admin.data(bulkUpdateAlerts, { body: open })).toMatchObject({
      matched: 3,
      updated: 2,
      unchanged: 1,
      searched_from: null,
    });
    expect((await list()).map(({ status }) => status)).toEqual(['new', 'new', 'new']);
  });

  test('are refused without a count, without a choice, beyond the bound and to viewers', async () => {
    await fill('many', 10_001);
    const bodies = {
      '/body/count': { status: 'resolved', filter: {} },
      '/body/status': { status: 'gone', alert_ids: [1] },
      '/body/filter/severity': { status: 'resolved', filter: { severity: 'awful' }, dry_run: true },
      '/body/alert_ids': { status: 'resolved', alert_ids: [] },
      '/body/filter': { status: 'resolved', filter: { policy_name: 'many' }, dry_run: true },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const refused = await management.admin.refusal(bulkUpdateAlerts, { body });
      expect(refused).toMatchObject({ status: 400, problems: [{ path }] });
    }
    for (const both of [{}, { alert_ids: [1], filter: {} }]) {
      const refused = await management.admin.refusal(bulkUpdateAlerts, { body: { status: 'resolved', ...both } });
      expect(refused).toMatchObject({ status: 400, problems: [{ path: '/body/filter' }] });
    }
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.status(bulkUpdateAlerts, { body: { status: 'resolved', alert_ids: [1] } })).toBe(403);
  });
});
