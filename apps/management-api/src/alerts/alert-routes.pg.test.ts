import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveryQueue, liveEventsTopic, type AlertDeliveryJob, type LiveEvent } from '@portcullis/contracts/events';
import { listAlerts, setAlertStatus } from '@portcullis/contracts/routes/alerts';
import { updateSettings } from '@portcullis/contracts/routes/settings';
import { waitFor } from '@portcullis/testkit/wait-for';
import { alertRecord, record } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('alerts (%s)', (store) => {
  let management: TestManagement;
  const events: LiveEvent[] = [];
  beforeAll(async () => {
    management = await startManagement(store);
    await management.infrastructure.coordination.bus.subscribe(liveEventsTopic, (event) => {
      events.push(event as LiveEvent);
    });
    await management.admin.data(updateSettings, { body: { chat_webhook: { enabled: true } } });
    await record(management.infrastructure, [
      alertRecord({ title: 'Oldest', severity: 'Low', timestamp: new Date(Date.now() - 7_200_000).toISOString() }),
      alertRecord({ title: 'Found 100% by text', severity: 'Critical', proxy_type: 'mcp', policy_name: 'Tool rules' }),
      alertRecord({ title: 'Newest', raw_data: { findings: [{ evidence: 'ig***ore' }] } }),
    ]);
  });
  afterAll(() => management.stop());
  const titles = async (query: object) =>
    (await management.admin.data(listAlerts, { query })).alerts.map(({ title }) => title);

  test('are listed newest first, page by page, with the number of all', async () => {
    const all = await management.admin.data(listAlerts);
    expect(all).toMatchObject({ total: 3, limit: 20, offset: 0, page: 1, total_pages: 1 });
    expect(all.alerts.map(({ title }) => title)).toEqual(['Newest', 'Found 100% by text', 'Oldest']);
    expect(all.alerts[0]).toMatchObject({ status: 'new', raw_data: { findings: [{ evidence: 'ig***ore' }] } });
    expect(await management.admin.data(listAlerts, { query: { limit: 1, offset: 1 } })).toMatchObject({
      total: 3,
      limit: 1,
      offset: 1,
      alerts: [{ title: 'Found 100% by text' }],
    });
  });

  test.each([
    [{ severity: 'critical,LOW' }, ['Found 100% by text', 'Oldest']],
    [{ status: 'open' }, ['Newest', 'Found 100% by text', 'Oldest']],
    [{ status: 'resolved' }, []],
    [{ proxy_type: 'mcp' }, ['Found 100% by text']],
    [{ policy_name: 'Tool rules' }, ['Found 100% by text']],
    [{ time_range: '1h' }, ['Newest', 'Found 100% by text']],
    [{ search: '100% BY' }, ['Found 100% by text']],
    [{ search: '100_ by' }, []],
    [{ severity: 'high', time_range: '24h', search: 'new' }, ['Newest']],
  ])('are filtered by %j', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test.each([
    [{ severity: 'awful' }],
    [{ status: 'gone' }],
    [{ time_range: '1 hour' }],
    [{ limit: '0' }],
    [{ offset: '-1' }],
    [{ severity: "High'); drop table alerts; --" }],
  ])('are refused for %j', async (query) => {
    expect(await management.admin.status(listAlerts, { query })).toBe(400);
  });

  test('reach the queue of the channel that is switched on and all live watchers, once each', async () => {
    const { coordination } = management.infrastructure;
    const told = () => events.filter(({ type }) => type === 'new_alert');
    await waitFor(() => told().length === 3, { what: 'three events' });
    const { alerts } = await management.admin.data(listAlerts);
    expect(told().map(({ payload }) => payload)).toEqual(expect.arrayContaining(alerts));

    const jobs: { id: string; payload: AlertDeliveryJob }[] = [];
    await using queue = coordination.queue<AlertDeliveryJob>(deliveryQueue('chat'));
    await using _worker = queue.process(async (job) => void jobs.push(job), 3);
    await waitFor(() => jobs.length === 3, { what: 'three jobs' });
    expect(jobs.map(({ id }) => id).sort()).toEqual(alerts.map(({ id }) => `chat-${id}`).sort());
    expect(jobs.map(({ payload }) => payload.alert)).toEqual(expect.arrayContaining(alerts));
    const left = await management.infrastructure.database.kysely.selectFrom('outbox').selectAll().execute();
    expect(left).toEqual([]);
  });

  describe('change their status', () => {
    const addAlert = async (title: string) => {
      await record(management.infrastructure, [alertRecord({ title })]);
      const { alerts } = await management.admin.data(listAlerts, { query: { search: title } });
      return { id: alerts[0]?.id ?? 0 };
    };
    const move = (params: { id: number }, status: string) =>
      management.admin.data(setAlertStatus, { params, body: { status } });

    test('forward, by an operator too, and all live watchers are told', async () => {
      const params = await addAlert('Workflow');
      const operator = management.anonymous.as(await management.signIn('operator'));
      const acknowledged = await operator.data(setAlertStatus, { params, body: { status: 'acknowledged' } });
      expect(acknowledged).toMatchObject({ id: params.id, status: 'acknowledged' });
      expect(await move(params, 'Investigating')).toMatchObject({ status: 'in_progress' });
      expect(await move(params, 'resolved')).toMatchObject({ status: 'resolved' });
      expect(await move(params, 'resolved')).toMatchObject({ status: 'resolved' });
      await waitFor(
        () => events.some(({ type, payload }) => type === 'alert' && 'id' in payload && payload.id === params.id),
        {
          what: 'the event',
        },
      );
      expect(await titles({ status: 'resolved' })).toEqual(['Workflow']);
    });

    test('by jumps, never back', async () => {
      const params = await addAlert('Jumper');
      await move(params, 'false_positive');
      expect(await management.admin.refusal(setAlertStatus, { params, body: { status: 'in_progress' } })).toMatchObject(
        {
          status: 400,
          problems: [{ path: '/body/status', rule: 'cannot follow false_positive; possible: resolved' }],
        },
      );
      await move(params, 'resolved');
      expect(await management.admin.refusal(setAlertStatus, { params, body: { status: 'new' } })).toMatchObject({
        problems: [{ rule: 'cannot follow resolved; possible: nothing' }],
      });
      expect(await management.admin.refusal(setAlertStatus, { params, body: { status: 'dismissed' } })).toMatchObject({
        status: 400,
      });
    });

    test('by one step of those that many ask for at once', async () => {
      const params = await addAlert('Contended');
      const wanted = ['acknowledged', 'in_progress', 'resolved', 'false_positive', 'acknowledged', 'resolved'];
      const statuses = await Promise.all(
        wanted.map((status) => management.admin.status(setAlertStatus, { params, body: { status } })),
      );
      expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
      expect(await titles({ status: 'resolved', search: 'Contended' })).toEqual(['Contended']);
    });

    test('not when there is no such alert, or the viewer asks', async () => {
      const body = { status: 'resolved' };
      expect(await management.admin.status(setAlertStatus, { params: { id: 999_999 }, body })).toBe(404);
      expect(await management.admin.status(setAlertStatus, { params: { id: 'x' }, body })).toBe(400);
      const viewer = management.anonymous.as(await management.signIn('viewer'));
      expect(await viewer.status(setAlertStatus, { params: { id: 1 }, body })).toBe(403);
    });
  });
});
