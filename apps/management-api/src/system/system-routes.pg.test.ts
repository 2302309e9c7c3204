import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { alertDeliveryQueue, type AlertDeliveryJob } from '@portcullis/contracts/events';
import { renderManagementOpenApi } from '@portcullis/contracts/management-openapi';
import { listAlerts } from '@portcullis/contracts/routes/alerts';
import { getHealth, listDeadLetters, retryDeadLetter } from '@portcullis/contracts/routes/system';
import { version } from '@portcullis/platform/lifecycle/version';
import { waitFor } from '@portcullis/testkit/wait-for';
import { insertHeartbeat } from '../../test/follow-desired-state.ts';
import { alertRecord, record } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('the system (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());
  afterEach(() => management.infrastructure.database.kysely.deleteFrom('service_instances').execute());

  const health = () => management.nobody.data(getHealth);
  const beat = (service: string, options: Parameters<typeof insertHeartbeat>[3]) =>
    insertHeartbeat(management.infrastructure.database, service, undefined, options);

  test('is healthy, and says which version it is', async () => {
    await beat('notifier', {});
    expect(await health()).toEqual({ status: 'healthy', timestamp: expect.any(String), version });
  });

  test('is degraded by what another service reports', async () => {
    await beat('notifier', { health: { status: 'degraded', problems: ['spool: disk full'] } });
    await beat('notifier', {});
    expect(await health()).toMatchObject({ status: 'degraded', problems: ['notifier: spool: disk full'] });
  });

  test('is degraded when all instances of a service are silent or gone, not when one of them is', async () => {
    const startedAt = performance.now();
    await beat('notifier', { ageS: 25 });
    const told = await health();
    expect(told).toMatchObject({ status: 'degraded', problems: [expect.stringMatching(/^notifier: no sign of life/)] });
    const ageS = Number(/for (\d+) s$/.exec(told.problems?.[0] ?? '')?.[1]);
    expect(ageS).toBeGreaterThanOrEqual(25);
    expect(ageS).toBeLessThanOrEqual(25.5 + (performance.now() - startedAt) / 1_000);
    await beat('notifier', {});
    expect(await health()).toMatchObject({ status: 'healthy' });
    await management.infrastructure.database.kysely.deleteFrom('service_instances').execute();
    expect(await health()).toMatchObject({ status: 'degraded', problems: ['notifier: is gone'] });
  });

  test('exposes metrics with the routes’ templates', async () => {
    await management.nobody.status(getHealth);
    await fetch(`${management.origin}/api/v1/proxies/12345`);
    const answer = await fetch(`${management.origin}/api/v1/metrics/prometheus`);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/^gateway_requests_total \d+$/m);
    expect(text).toMatch(/^gateway_errors_total\{endpoint="\/api\/v1\/proxies\/:id",status="401"\} \d+$/m);
    expect(text).toMatch(/^gateway_request_duration_seconds_count \d+$/m);
  });

  test('describes itself', async () => {
    const answer = await fetch(`${management.origin}/api/v1/openapi.json`);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.text()).toBe(renderManagementOpenApi(version));
  });

  test('keeps dead letters, which can be tried again', async () => {
    const { infrastructure, admin } = management;
    await record(infrastructure, [alertRecord({ title: 'Undeliverable' })]);
    const { alerts } = await admin.data(listAlerts);
    const alert = alerts[0];
    if (alert === undefined) throw new Error('The alert is not there');
    await using queue = infrastructure.coordination.queue<AlertDeliveryJob>(alertDeliveryQueue);
    await queue.add('chat-dead', { channel: 'chat', alert }, { attempts: 1, backoffMs: 1 });
    let fail = true;
    let delivered = 0;
    await using _worker = queue.process(async ({ id }) => {
      if (id !== 'chat-dead') return;
      if (fail) throw new Error('The chat answered 503');
      delivered += 1;
    }, 1);

    const dead = await waitFor(async () => (await admin.data(listDeadLetters))[0], { what: 'the dead letter' });
    expect(dead).toEqual({
      id: 'chat-dead',
      channel: 'chat',
      alert_id: alert.id,
      title: 'Undeliverable',
      attempts: 1,
      reason: 'The chat answered 503',
      failed_at: expect.any(String),
    });
    fail = false;
    expect(await admin.status(retryDeadLetter, { params: dead })).toBe(200);
    await waitFor(() => delivered === 1, { what: 'the delivery' });
    expect(await admin.status(retryDeadLetter, { params: dead })).toBe(404);
    expect(await admin.status(retryDeadLetter, { params: { id: 'no way' } })).toBe(400);
    expect(await admin.status(listDeadLetters, { query: { limit: 0 } })).toBe(400);
  });
});

describe('without its database', () => {
  test('the system is unhealthy, routes answer 503, and nothing tells why', async () => {
    const management = await startManagement('embedded');
    await management.infrastructure.database[Symbol.asyncDispose]();
    const refusal = await management.nobody.refusal(getHealth);
    expect(refusal).toMatchObject({
      status: 500,
      success: false,
      error: 'The gateway is not healthy',
      data: { status: 'unhealthy', problems: ['database: does not answer'] },
    });
    expect(await management.admin.refusal(listAlerts)).toMatchObject({
      status: 503,
      message: 'The database is not available',
      request_id: expect.any(String),
    });
    await management.stop().catch(() => undefined);
  });
});

test('metrics that are closed are open to their token alone', async () => {
  const management = await startManagement('embedded', { METRICS_TOKEN: 'prometheus-reads-this' });
  try {
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${management.origin}/api/v1/metrics/prometheus`, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${management.adminToken}` })).toBe(401);
    expect(await status({ authorization: 'Bearer prometheus-reads-this' })).toBe(200);
  } finally {
    await management.stop();
  }
});
