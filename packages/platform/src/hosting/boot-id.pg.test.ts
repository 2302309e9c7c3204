import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { databaseKinds, openTestDatabase } from '../../test/test-database.ts';
import type { Database } from '../database/database.ts';
import { deleteProcesses, assignBootId, assignMissingBootIds } from './boot-id.ts';

interface Row {
  readonly ageS?: number;
  readonly bootId?: number | null;
}

describe.each(databaseKinds)('the boot of the installation (%s)', (kind) => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase(kind);
  });
  afterEach(async () => {
    await database[Symbol.asyncDispose]();
  });

  /** A process as its heartbeats show it. */
  const come = async ({ ageS = 0, bootId = null }: Row = {}): Promise<string> => {
    const id = randomUUID();
    const moment = sql<Date>`now() - make_interval(secs => ${ageS})`;
    await database.kysely
      .insertInto('service_instances')
      .values({ instance_id: id, service: 'any', host: 'test', pid: 1, version: '1', health: '{}', boot_id: bootId })
      .execute();
    await database.kysely
      .updateTable('service_instances')
      .set({ heartbeat_at: moment, started_at: moment })
      .where('instance_id', '=', id)
      .execute();
    return id;
  };
  const beat = (id: string) =>
    database.kysely
      .updateTable('service_instances')
      .set({ heartbeat_at: sql<Date>`clock_timestamp()` })
      .where('instance_id', '=', id)
      .execute();
  const join = (id: string, again = false) => assignBootId(database, id, again);

  test('begins with the first process, at once, and takes in those that come later', async () => {
    const [first, second] = [await come(), await come()];
    const boot = await join(first);
    expect(boot).toEqual(expect.any(Number));
    await beat(first);
    expect(await join(second, true)).toBe(boot);
    const rows = await database.kysely.selectFrom('service_instances').select('boot_id').execute();
    expect(rows).toEqual([{ boot_id: boot }, { boot_id: boot }]);
  });

  test('goes on while one process lives, also when all others are started anew', async () => {
    const living = await come({ bootId: 7, ageS: 1 });
    const next = await come();
    expect(await join(next)).toBeUndefined();
    await beat(living);
    expect(await join(next, true)).toBe(7);
  });

  test('is a new one after all were killed, as soon as their last signs of life are old', async () => {
    const killed = await come({ bootId: 7, ageS: 4 });
    const [one, other] = [await come(), await come()];
    expect([await join(one), await join(other), await join(one, true)]).toEqual([undefined, undefined, undefined]);
    await database.kysely
      .updateTable('service_instances')
      .set({ heartbeat_at: sql<Date>`now() - interval '11 seconds'` })
      .where('instance_id', '=', killed)
      .execute();
    const boot = await join(one, true);
    expect(boot).toEqual(expect.any(Number));
    expect(boot).not.toBe(7);
    await beat(one);
    expect(await join(other, true)).toBe(boot);
  });

  test('is not a new one because all were silent during an outage', async () => {
    const living = await come({ bootId: 7, ageS: 40 });
    const next = await come();
    expect(await join(next)).toBeUndefined();
    await beat(living);
    expect(await join(next, true)).toBe(7);
  });

  test('is founded once by those who come at the same time', async () => {
    const ids = await Promise.all([come(), come(), come()]);
    const founded = (await Promise.all(ids.map((id) => join(id)))).filter((boot) => boot !== undefined);
    expect(new Set(founded).size).toBe(1);
    expect(await database.kysely.selectFrom('boots').select('id').execute()).toHaveLength(1);
  });

  test('is known to each instance that came while one that knew it lived, also when that one has left', async () => {
    const first = await come({ ageS: 3 });
    const boot = await join(first);
    const second = await come();
    expect(await join(second)).toBeUndefined();

    await assignMissingBootIds(database);
    await database.kysely.deleteFrom('service_instances').where('instance_id', '=', first).execute();
    const third = await come();
    expect(await join(third)).toBeUndefined();
    expect(await join(second, true)).toBe(boot);
    await beat(second);
    expect(await join(third, true)).toBe(boot);
    expect(await database.kysely.selectFrom('boots').select('id').execute()).toEqual([{ id: boot }]);
  });

  test('is not given by what a killed process left behind', async () => {
    await come({ bootId: 7, ageS: 40 });
    const [one] = [await come()];
    expect(await join(one)).toBeUndefined();
    await assignMissingBootIds(database);
    expect(await join(one, true)).not.toBe(7);
  });

  test('is a new one at once for an instance that has the database to itself', async () => {
    await come({ bootId: 7 });
    await deleteProcesses(database);
    expect(await join(await come())).toEqual(expect.any(Number));
  });
});
