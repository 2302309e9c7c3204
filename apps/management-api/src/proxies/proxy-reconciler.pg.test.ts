import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLog } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { insertHeartbeat } from '../../test/follow-desired-state.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { startProxyReconciler } from './proxy-reconciler.ts';

describe.each(stores)('the keeper of the proxies (%s)', (store) => {
  let management: TestManagement;
  let proxyId: number;
  beforeEach(async () => {
    management = await startManagement(store);
    const { id } = await kysely()
      .insertInto('proxies')
      .values({ name: 'auto', type: 'llm', target: 'http://127.0.0.1:9', port: 9_999, auto_start: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    proxyId = id;
  });
  afterEach(() => management.stop());

  const kysely = () => management.infrastructure.database.kysely;
  const desired = async () =>
    (await kysely().selectFrom('proxies').select('desired_state').executeTakeFirstOrThrow()).desired_state;
  const stop = () => kysely().updateTable('proxies').set({ desired_state: 'stopped' }).execute();

  const keep = (instanceId: string) =>
    startProxyReconciler({
      database: management.infrastructure.database,
      instanceId,
      log: silentLog,
      firstAfterMs: 1,
      everyMs: 5,
    });
  /** A management process that knows its boot, or does not yet. */
  const come = async (bootId: number | null): Promise<string> => {
    const instanceId = randomUUID();
    await insertHeartbeat(management.infrastructure.database, 'management-api', instanceId);
    await know(instanceId, bootId);
    return instanceId;
  };
  const know = (instanceId: string, bootId: number | null) =>
    kysely().updateTable('service_instances').set({ boot_id: bootId }).where('instance_id', '=', instanceId).execute();
  const boot = async () =>
    (await kysely().insertInto('boots').defaultValues().returning('id').executeTakeFirstOrThrow()).id;
  const autoStarted = async () =>
    (await kysely().selectFrom('boots').select('auto_started_at').executeTakeFirstOrThrow()).auto_started_at !== null;

  /** Resolves when a keeper has looked at least once. */
  const looked = async () => {
    await report(randomUUID(), 60);
    await waitFor(async () => (await reports()) === 0, { what: 'the keeper to look' });
  };
  const report = (instanceId: string, ageS: number) =>
    kysely()
      .insertInto('proxy_states')
      .values({
        proxy_id: proxyId,
        instance_id: instanceId,
        state: 'running',
        revision: 1,
        port: 9_999,
        updated_at: sql<Date>`now() - make_interval(secs => ${ageS})`,
      })
      .execute();
  const reports = async () => (await kysely().selectFrom('proxy_states').select('instance_id').execute()).length;

  test('starts what starts by itself once per boot, and leaves alone what an operator stopped later', async () => {
    const bootId = await boot();
    {
      await using _keeper = keep(await come(bootId));
      await waitFor(async () => (await desired()) === 'running', { what: 'the proxy to be wanted' });
    }
    await stop();
    {
      await using _again = keep(await come(bootId));
      await looked();
      await looked();
    }
    expect(await desired()).toBe('stopped');
  });

  test('waits until it knows which boot this is', async () => {
    const bootId = await boot();
    const instanceId = await come(null);
    await using _keeper = keep(instanceId);
    await looked();
    expect([await desired(), await autoStarted()]).toEqual(['stopped', false]);
    await know(instanceId, bootId);
    await waitFor(async () => (await desired()) === 'running', { what: 'the proxy to be wanted' });
  });

  test('takes away what the dead reported, and nothing of those who live or have just come', async () => {
    const [living, newcomer] = [randomUUID(), randomUUID()];
    await insertHeartbeat(management.infrastructure.database, 'proxy-runtime', living);
    await report(living, 3_600);
    await report(newcomer, 0);
    await report(randomUUID(), 11);
    await using _keeper = keep(await come(null));
    await waitFor(async () => (await reports()) === 2, { what: 'the stale report to be gone' });
    const left = await kysely().selectFrom('proxy_states').select('instance_id').execute();
    expect(new Set(left.map(({ instance_id: id }) => id))).toEqual(new Set([living, newcomer]));
  });
});
