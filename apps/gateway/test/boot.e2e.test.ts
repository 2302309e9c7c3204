import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openDatabase } from '@portcullis/platform/database/connection/open-database';
import { createEmptyDatabase, silentLog } from '@portcullis/platform/test/test-database';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { startTestGateway, type GatewayMode, type TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy } from './set-up-proxy.ts';
import { clearRedis, waysFor, type Way } from './start-gateway.ts';

const running = async (gateway: TestGateway, id: number) =>
  (await gateway.admin.expect<{ running: boolean }>('GET', `/proxies/${id}/status`)).running;

/** Stores that outlive the gateways on them. */
async function openStores(way: Way, opened: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-boot-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  if (way === 'one process') return { folder, mode: { kind: way } satisfies GatewayMode, database: undefined };
  const { url } = opened.use(await createEmptyDatabase('server'));
  if (url === undefined) throw new Error('The database has no address');
  const mode: GatewayMode = { kind: way, databaseUrl: url.reveal(), redisUrl: await clearRedis() };
  const database = await openDatabase({
    url,
    dataDirectory: folder,
    maxConnections: 1,
    queryTimeoutMs: 5_000,
    log: silentLog,
  });
  return { folder, mode, database: opened.use(database) };
}

describe.each(waysFor('services'))('a boot, %s', (way) => {
  test('starts what starts by itself, also after everything was killed at once', async () => {
    await using opened = new AsyncDisposableStack();
    await using target = await startLlmPeer();
    const { folder, mode } = await openStores(way, opened);
    let id: number;
    {
      await using gateway = await startTestGateway(mode, {}, folder);
      ({ id } = await setUpProxy(gateway.admin, target.url));
      await gateway.admin.expect('POST', `/proxies/${id}/stop`);
      expect(await running(gateway, id)).toBe(false);
      // Only now: this boot may not have started what starts by itself yet.
      await gateway.admin.expect('PUT', `/proxies/${id}`, { auto_start: true });
      await gateway.stop('SIGKILL');
    }
    await using again = await startTestGateway(mode, {}, folder);
    await waitFor(() => running(again, id), { what: 'the proxy to start by itself' });
  });
});

test('a management API that is started anew alone starts nothing that was stopped', async () => {
  await using opened = new AsyncDisposableStack();
  await using target = await startLlmPeer();
  const { folder, mode, database } = await openStores('services', opened);
  if (database === undefined) throw new Error('There is no database to look at');
  const boots = () => database.kysely.selectFrom('boots').selectAll().execute();
  const knowsBoot = async (instanceBefore?: string) => {
    const row = await database.kysely
      .selectFrom('service_instances')
      .select(['instance_id', 'boot_id'])
      .where('service', '=', 'management-api')
      .where('boot_id', 'is not', null)
      .executeTakeFirst();
    return row?.instance_id === instanceBefore ? undefined : row;
  };

  await using gateway = await startTestGateway(mode, {}, folder);
  const { id } = await setUpProxy(gateway.admin, target.url);
  await gateway.admin.expect('PUT', `/proxies/${id}`, { auto_start: true });
  await waitFor(async () => (await boots())[0]?.auto_started_at, { what: 'the boot' });
  await gateway.admin.expect('POST', `/proxies/${id}/stop`);
  const [boot] = await boots();
  const before = await waitFor(() => knowsBoot(), { what: 'the first process to know its boot' });

  await gateway.processOf('management-api').stop('SIGTERM');
  await gateway.startAgain('management-api');
  const after = await waitFor(() => knowsBoot(before.instance_id), { what: 'the boot to be known' });
  expect([after.boot_id, await boots()]).toEqual([boot?.id, [boot]]);
  expect(await running(gateway, id)).toBe(false);
  expect(await gateway.admin.expect('GET', `/proxies/${id}/status`)).toMatchObject({ desired_state: 'stopped' });
});

test('tells that a proxy does not run when its runtime was killed, and that it runs when the runtime is back', async () => {
  await using opened = new AsyncDisposableStack();
  await using target = await startLlmPeer();
  const { folder, mode, database } = await openStores('services', opened);
  await using gateway = await startTestGateway(mode, {}, folder);
  const { id } = await setUpProxy(gateway.admin, target.url);
  const state = async () => (await gateway.admin.expect<{ state: string }>('GET', `/proxies/${id}/status`)).state;
  expect(await state()).toBe('running');

  await gateway.runtime.stop('SIGKILL');
  await waitFor(async () => (await state()) === 'unreachable', { what: 'the truth to be told' });
  expect(await running(gateway, id)).toBe(false);
  const reports = () => database?.kysely.selectFrom('proxy_states').select('instance_id').execute();
  await waitFor(async () => (await reports())?.length === 0, { what: 'the stale report to be gone' });

  await gateway.startRuntime();
  await waitFor(async () => (await state()) === 'running', { what: 'the proxy to run' });
});
