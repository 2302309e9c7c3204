import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { openTestDatabase, silentLog } from '../../test/test-database.ts';
import type { Database } from '../database/database.ts';
import { startHeartbeats } from './heartbeats.ts';
import type { Service, ServiceHealth } from '../service/service.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('embedded');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});
beforeEach(() => database.kysely.deleteFrom('service_instances').execute());

const createService = (name: string, health: () => ServiceHealth): Service => ({
  name,
  health,
  start: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

const rows = () => database.kysely.selectFrom('service_instances').selectAll().orderBy('service').execute();

describe('heartbeats', () => {
  test('show every service of the process at once, follow its health, and leave with it', async () => {
    let problems: string[] = [];
    const health = (): ServiceHealth => ({ status: problems.length === 0 ? 'healthy' : 'degraded', problems });
    const services = [createService('a', health), createService('b', () => ({ status: 'healthy', problems: [] }))];
    const instanceId = randomUUID();

    const heartbeats = await startHeartbeats({ database, log: silentLog, instanceId, services, intervalMs: 20 });
    const [first] = await rows();
    expect(await rows()).toMatchObject([
      { instance_id: instanceId, service: 'a', pid: process.pid, health: { status: 'healthy', problems: [] } },
      { instance_id: instanceId, service: 'b', pid: process.pid, health: { status: 'healthy', problems: [] } },
    ]);

    problems = ['spool: disk full'];
    const later = await waitFor(
      async () => (await rows()).find((row) => JSON.stringify(row.health).includes('disk full')),
      {
        what: 'the health to be told',
      },
    );
    expect(later).toMatchObject({ service: 'a', health: health(), started_at: first?.started_at });
    expect(Number(later.heartbeat_at)).toBeGreaterThan(Number(first?.heartbeat_at));

    await heartbeats[Symbol.asyncDispose]();
    expect(await rows()).toEqual([]);
  });

  test('report a service that cannot tell how it is', async () => {
    const broken = createService('broken', () => {
      throw new Error('no idea');
    });
    await using _heartbeats = await startHeartbeats({
      database,
      log: silentLog,
      instanceId: randomUUID(),
      services: [broken],
    });
    expect(await rows()).toMatchObject([{ health: { status: 'unhealthy', problems: ['broken: no idea'] } }]);
  });

  test('leave no instance behind that does not know the boot', async () => {
    const start = () =>
      startHeartbeats({
        database,
        log: silentLog,
        instanceId: randomUUID(),
        services: [createService('me', () => ({ status: 'healthy', problems: [] }))],
        intervalMs: 60_000,
      });
    const first = await start();
    const [boot] = (await rows()).map(({ boot_id: id }) => id);
    await using _second = await start();
    await first[Symbol.asyncDispose]();
    expect((await rows()).map(({ boot_id: id }) => id)).toEqual([boot]);
  });

  test('remove what has been silent for more than a minute, and nothing else', async () => {
    const insert = (service: string, age: string) =>
      database.kysely
        .insertInto('service_instances')
        .values({
          instance_id: randomUUID(),
          service,
          host: 'elsewhere',
          pid: 1,
          version: '0',
          health: '{}',
          heartbeat_at: sql`now() - ${age}::interval`,
        })
        .execute();
    await insert('gone', '61 seconds');
    await insert('slow', '50 seconds');

    const services = [createService('me', () => ({ status: 'healthy', problems: [] }))];
    await using _heartbeats = await startHeartbeats({ database, log: silentLog, instanceId: randomUUID(), services });
    expect((await rows()).map(({ service }) => service)).toEqual(['me', 'slow']);
  });

  test('cost nothing but themselves while the database is away', async () => {
    const gone = await openTestDatabase('embedded');
    await gone[Symbol.asyncDispose]();
    const services = [createService('me', () => ({ status: 'healthy', problems: [] }))];
    const heartbeats = await startHeartbeats({ database: gone, log: silentLog, instanceId: randomUUID(), services });
    await expect(heartbeats[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });
});
