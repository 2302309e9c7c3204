import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { renderManagementOpenApi } from '@portcullis/contracts/management-openapi';
import { listAlerts } from '@portcullis/contracts/routes/alerts';
import { createPolicy } from '@portcullis/contracts/routes/policies';
import { createProxy, type ProxyCreation } from '@portcullis/contracts/routes/proxies';
import { getHealth } from '@portcullis/contracts/routes/system';
import { version } from '@portcullis/platform/process/version';
import { insertHeartbeat } from '../../test/follow-desired-state.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('the system (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());
  afterEach(() => management.infrastructure.database.kysely.deleteFrom('service_instances').execute());

  const health = () => management.anonymous.data(getHealth);
  const beat = (service: string, options: Parameters<typeof insertHeartbeat>[3]) =>
    insertHeartbeat(management.infrastructure.database, service, undefined, options);

  test('is healthy, and says which version it is', async () => {
    await beat('notifier', {});
    expect(await health()).toEqual({ status: 'healthy', timestamp: expect.any(String), version });
  });

  test('notes proxies that run and that no policy inspects, and stays healthy', async () => {
    await beat('notifier', {});
    const { kysely } = management.infrastructure.database;
    const make = async (name: string, port: number, names?: readonly string[]) => {
      const body = {
        name,
        type: 'mcp',
        target: 'http://127.0.0.1:9',
        port,
        ...(names && { policy_names: [...names] }),
      };
      const { id } = await management.admin.data(createProxy, { body: body as ProxyCreation });
      await kysely.updateTable('proxies').set({ desired_state: 'running' }).where('id', '=', id).execute();
      return id;
    };
    const document = { name: 'for models', policy_type: 'llm', rules: [{ id: 'A', patterns: ['x'], action: 'block' }] };
    await management.admin.data(createPolicy, { body: { document } });
    const inspected = await make('inspected', 24_401);
    expect((await health()).notes).toBeUndefined();
    const open = await make('open', 24_402, []);
    const note = '1 proxy runs without a policy: no policy inspects the traffic';
    expect(await health()).toMatchObject({ status: 'healthy', notes: [note] });
    const elsewhere = await make('elsewhere', 24_403, ['for models']);
    expect((await health()).notes).toEqual([expect.stringContaining('2 proxies run without a policy')]);
    await kysely.deleteFrom('proxies').where('id', 'in', [inspected, open, elsewhere]).execute();
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
    await management.anonymous.status(getHealth);
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
});

describe('without its database', () => {
  test('the system is unhealthy, routes answer 503, and nothing tells why', async () => {
    const management = await startManagement('embedded');
    await management.infrastructure.database[Symbol.asyncDispose]();
    const refusal = await management.anonymous.refusal(getHealth);
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
