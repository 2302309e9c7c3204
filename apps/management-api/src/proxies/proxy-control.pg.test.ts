import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeAll, afterAll, describe, expect, test } from '@jest/globals';
import { liveEventsTopic } from '@portcullis/contracts/events';
import { createProxy, deleteProxy, updateProxy } from '@portcullis/contracts/routes/proxies';
import {
  getProxyStatus,
  listProxyStatuses,
  restartProxy,
  startProxy,
  stopProxy,
} from '@portcullis/contracts/routes/proxy-lifecycle';
import { waitFor } from '@portcullis/testkit/wait-for';
import { followDesiredState, insertHeartbeat, type RuntimeRows } from '../../test/follow-desired-state.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { wantAutoStarted } from './desired-state-queries.ts';
import { createProxyControl } from './proxy-control.ts';
import { createStateReports } from '@portcullis/platform/runtimes/state-reports';
import { renderDuration } from './status-queries.ts';

describe.each(stores)('starting and stopping (%s)', (store) => {
  let management: TestManagement;
  let runtimes: RuntimeRows[] = [];
  const events: unknown[] = [];
  beforeAll(async () => {
    management = await startManagement(store);
    await management.infrastructure.coordination.bus.subscribe(liveEventsTopic, (event) => events.push(event));
  });
  afterAll(() => management.stop());
  afterEach(async () => {
    for (const runtime of runtimes) await runtime[Symbol.asyncDispose]();
    runtimes = [];
    await management.infrastructure.database.kysely.deleteFrom('service_instances').execute();
  });

  const startRuntime = async () => {
    const runtime = await followDesiredState(management.infrastructure.database);
    runtimes.push(runtime);
    return runtime;
  };
  let port = 21_000;
  const create = (fields: object = {}) => {
    port += 1;
    const body = { name: `proxy-${port}`, type: 'llm', target: 'http://127.0.0.1:9', port, ...fields } as const;
    return management.admin.data(createProxy, { body });
  };
  const desired = async (id: number) =>
    management.infrastructure.database.kysely
      .selectFrom('proxies')
      .select(['desired_state', 'generation'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  test('answer once the runtime has followed, and tell all clients', async () => {
    await startRuntime();
    const proxy = await create();
    const params = { id: proxy.id };
    expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({
      running: false,
      start_time: null,
      uptime: '',
    });

    await management.admin.data(startProxy, { params });
    expect(await management.admin.data(getProxyStatus, { params })).toEqual({
      id: proxy.id,
      name: proxy.name,
      type: 'llm',
      running: true,
      port: proxy.port,
      target: proxy.target,
      start_time: expect.any(String),
      uptime: expect.stringMatching(/^\d+s$/),
      requests_processed: 0,
      errors: 0,
      last_error: null,
      circuit: 'closed',
      target_problem: null,
      desired_state: 'running',
      state: 'running',
      runtimes: { live: 1, running: 1 },
    });
    expect(await management.admin.data(listProxyStatuses)).toContainEqual({
      id: proxy.id,
      name: proxy.name,
      type: 'llm',
      running: true,
      port: proxy.port,
    });
    expect(await management.admin.status(deleteProxy, { params })).toBe(409);

    await management.admin.data(stopProxy, { params });
    expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({ running: false });
    const said = (status: string) => ({ type: 'proxy_status', payload: { id: proxy.id, name: proxy.name, status } });
    await waitFor(() => events.some((event) => isDeepStrictEqual(event, said('stopped'))), {
      what: 'both events',
    });
    expect(events).toEqual(expect.arrayContaining([said('started'), said('stopped')]));
    expect(await management.admin.status(deleteProxy, { params })).toBe(200);
  });

  test('again are fine, and restart counts', async () => {
    await startRuntime();
    const params = await create();
    for (const route of [startProxy, startProxy, restartProxy, restartProxy]) {
      expect(await management.admin.status(route, { params })).toBe(200);
    }
    expect(await desired(params.id)).toEqual({ desired_state: 'running', generation: 2 });
    for (const route of [stopProxy, stopProxy]) expect(await management.admin.status(route, { params })).toBe(200);
    expect(await management.admin.status(restartProxy, { params })).toBe(200);
    expect(await desired(params.id)).toEqual({ desired_state: 'running', generation: 3 });
  });

  test('are an operator’s business, and no viewer’s', async () => {
    await startRuntime();
    const params = await create();
    const operator = management.anonymous.as(await management.signIn('operator'));
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.status(startProxy, { params })).toBe(403);
    expect(await operator.status(startProxy, { params })).toBe(200);
    expect(await operator.status(restartProxy, { params })).toBe(200);
    expect(await operator.status(stopProxy, { params })).toBe(200);
    expect(await operator.status(deleteProxy, { params })).toBe(403);
  });

  test('wait for every live runtime, not for dead ones', async () => {
    await startRuntime();
    await startRuntime();
    await insertHeartbeat(management.infrastructure.database, 'proxy-runtime', undefined, { ageS: 30 });
    const params = await create();
    await management.admin.data(startProxy, { params });
    const rows = await management.infrastructure.database.kysely
      .selectFrom('proxy_states')
      .select(['state'])
      .where('proxy_id', '=', params.id)
      .execute();
    expect(rows).toEqual([{ state: 'running' }, { state: 'running' }]);
  });

  test('are refused when a runtime cannot, and the proxy stays stopped', async () => {
    const runtime = await startRuntime();
    await startRuntime();
    const params = await create();
    runtime.faults.set(params.id, 'listen EADDRINUSE: address already in use 0.0.0.0:21004');
    for (const route of [startProxy, restartProxy]) {
      expect(await management.admin.refusal(route, { params })).toMatchObject({
        status: 409,
        message: expect.stringContaining('EADDRINUSE'),
      });
      expect((await desired(params.id)).desired_state).toBe('stopped');
      await waitFor(async () => (await management.admin.data(getProxyStatus, { params })).state === 'stopped', {
        what: 'the other runtime to stop it',
      });
      expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({
        desired_state: 'stopped',
        last_error: 'listen EADDRINUSE: address already in use 0.0.0.0:21004',
      });
    }
    await waitFor(async () => !(await management.admin.data(getProxyStatus, { params })).running, {
      what: 'the other runtime to stop it too',
    });
    runtime.faults.clear();
    expect(await management.admin.status(startProxy, { params })).toBe(200);
    expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({ running: true, last_error: null });

    runtime.faults.set(params.id, 'listen EACCES');
    expect(await management.admin.status(restartProxy, { params })).toBe(409);
    await management.admin.data(updateProxy, { params, body: { description: 'looked at' } });
    expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({ last_error: null });
  });

  test('of a runtime that is away say so: a stop is heard all the same, and the proxy can go', async () => {
    const runtime = await startRuntime();
    const params = await create();
    await management.admin.data(startProxy, { params });
    await runtime[Symbol.asyncDispose]();
    expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({
      running: false,
      desired_state: 'running',
      state: 'unreachable',
      runtimes: { live: 0, running: 0 },
    });
    expect(await management.admin.status(deleteProxy, { params })).toBe(409);
    for (let times = 0; times < 2; times += 1) expect(await management.admin.status(stopProxy, { params })).toBe(200);
    expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({ state: 'stopped' });
    expect(await management.admin.status(deleteProxy, { params })).toBe(200);
  });

  test('answer 503 to a start without a live runtime, and change nothing', async () => {
    const params = await create();
    for (const route of [startProxy, restartProxy]) {
      expect(await management.admin.refusal(route, { params })).toMatchObject({
        status: 503,
        message: 'No proxy runtime is running',
      });
    }
    expect(await desired(params.id)).toEqual({ desired_state: 'stopped', generation: 0 });
  });

  test('answer 503 when a runtime hangs, and what is wanted stays', async () => {
    const runtime = await startRuntime();
    const params = await create();
    await runtime.hang();
    const { database } = management.infrastructure;
    const reports = createStateReports(database);
    const control = createProxyControl({ database, reports, timeoutMs: 150 });
    await expect(
      control(params.id, 'start', { caller: undefined, clientIp: '', userAgent: undefined, requestId: '' }),
    ).rejects.toMatchObject({
      reason: 'service_unavailable',
      message: expect.stringContaining('1 of 1 proxy runtimes'),
    });
    expect((await desired(params.id)).desired_state).toBe('running');
  });

  test('of a disabled proxy is refused, of an unknown one not found', async () => {
    await startRuntime();
    const params = await create({ enabled: false });
    expect(await management.admin.refusal(startProxy, { params })).toMatchObject({
      status: 409,
      message: expect.stringContaining('is disabled'),
    });
    expect(await management.admin.status(stopProxy, { params })).toBe(200);
    for (const route of [startProxy, stopProxy, restartProxy, getProxyStatus]) {
      expect(await management.admin.status(route, { params: { id: 999_999 } })).toBe(404);
      expect(await management.admin.status(route, { params: { id: 'x' } })).toBe(400);
    }
  });

  test('at the same time end in one state, and every answer is true or a conflict', async () => {
    await startRuntime();
    await startRuntime();
    const params = await create();
    const commands = [startProxy, stopProxy, restartProxy, startProxy, stopProxy, startProxy];
    const statuses = await Promise.all(commands.map((route) => management.admin.status(route, { params })));
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);

    const { desired_state: wanted } = await desired(params.id);
    await waitFor(
      async () => (await management.admin.data(getProxyStatus, { params })).running === (wanted === 'running'),
      { what: 'the runtimes to agree with what is wanted' },
    );
    // The caller who commanded what holds now was told that it worked.
    expect(
      commands.some((route, index) => statuses[index] === 200 && (route === stopProxy) === (wanted === 'stopped')),
    ).toBe(true);
  });

  test('sum up what several runtimes report', async () => {
    const [one, other] = [await startRuntime(), await startRuntime()];
    const params = await create();
    await management.admin.data(startProxy, { params });
    const { kysely } = management.infrastructure.database;
    const count = (runtime: RuntimeRows, requests: number, errors: number) =>
      kysely
        .updateTable('proxy_states')
        .set({ requests_processed: requests, errors })
        .where('instance_id', '=', runtime.instanceId)
        .where('proxy_id', '=', params.id)
        .execute();
    await count(one, 5_000_000_000, 1);
    await count(other, 7, 2);
    expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({
      requests_processed: 5_000_000_007,
      errors: 3,
    });
  });

  test('happens by itself at start for proxies that say so', async () => {
    const [auto, disabled, manual] = [
      await create({ auto_start: true }),
      await create({ auto_start: true, enabled: false }),
      await create(),
    ];
    await wantAutoStarted(management.infrastructure.database);
    expect((await desired(auto.id)).desired_state).toBe('running');
    expect((await desired(disabled.id)).desired_state).toBe('stopped');
    expect((await desired(manual.id)).desired_state).toBe('stopped');
  });

  test('is not undone by a change of the proxy while it runs', async () => {
    await startRuntime();
    const params = await create();
    await management.admin.data(startProxy, { params });
    await management.admin.data(updateProxy, { params, body: { target: 'http://127.0.0.1:10' } });
    expect(await management.admin.data(getProxyStatus, { params })).toMatchObject({
      running: true,
      target: 'http://127.0.0.1:10',
    });
  });
});

test.each([
  [-5, '0s'],
  [59_999, '59s'],
  [60_000, '1m0s'],
  [8_130_000, '2h15m30s'],
  [360_000_000, '100h0m0s'],
])('%d ms are rendered as %s', (ms, text) => {
  expect(renderDuration(ms)).toBe(text);
});
