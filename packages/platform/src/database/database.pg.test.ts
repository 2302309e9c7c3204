import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { databaseKinds, openTestDatabase } from '../../test/test-database.ts';
import type { Database } from './database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

/** What every user of `Database` relies on, whichever back end it has. */
describe.each(databaseKinds)('the %s database', (kind) => {
  let database: Database;
  const queryTimesMs: number[] = [];
  beforeAll(async () => {
    const onQuery = (durationMs: number) => void queryTimesMs.push(durationMs);
    database = await openTestDatabase(kind, { maxConnections: 2, onQuery });
  });
  afterAll(async () => database[Symbol.asyncDispose]());
  beforeEach(() => database.kysely.deleteFrom('user_groups').execute());

  const addGroup = (name: string, kysely = database.kysely) =>
    kysely.insertInto('user_groups').values({ name }).returning('id').executeTakeFirstOrThrow();
  const groupNames = async () => {
    const rows = await database.kysely.selectFrom('user_groups').select('name').orderBy('id').execute();
    return rows.map(({ name }) => name);
  };
  /** Occupies a connection until the answer is called. */
  const holdConnection = async ({ kysely }: Database): Promise<() => Promise<void>> => {
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const done = kysely.connection().execute(async () => {
      held.resolve();
      await release.promise;
    });
    await held.promise;
    return async () => {
      release.resolve();
      await done;
    };
  };
  const holdAll = (held = database) =>
    Promise.all(Array.from({ length: held.poolStats().maxOpenConnections }, () => holdConnection(held)));

  test('tells the time of each query, also of one that fails', async () => {
    queryTimesMs.length = 0;
    await sql`select pg_sleep(0.02)`.execute(database.kysely);
    await expect(sql`select no_such_column`.execute(database.kysely)).rejects.toThrow('no_such_column');
    expect(queryTimesMs).toHaveLength(2);
    expect(queryTimesMs[0]).toBeGreaterThanOrEqual(15);
  });

  test('reads bigint as number, timestamptz as Date and jsonb parsed', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as big, array[1, 2]::bigint[] as bigs, count(*) as count,
        timestamptz '2026-01-02 03:04:05.678+00' as time, '{"a": [1, null]}'::jsonb as json, 0.5::float8 as float,
        null::bigint as nothing`.execute(database.kysely);
    expect(rows).toEqual([
      {
        big: 9_007_199_254_740_991,
        bigs: [1, 2],
        count: 1,
        time: new Date('2026-01-02T03:04:05.678Z'),
        json: { a: [1, null] },
        float: 0.5,
        nothing: null,
      },
    ]);
  });

  test('takes jsonb as JSON text, arrays and dates as they are', async () => {
    const time = new Date('2026-01-02T03:04:05.678Z');
    await database.kysely
      .insertInto('settings')
      .values({ section: 'colours', document: JSON.stringify(['red', { "it's": 'blue' }]), updated_at: time })
      .execute();
    const row = await database.kysely
      .selectFrom('settings')
      .selectAll()
      .where('section', '=', sql<string>`any(${['colours', 'other']})`)
      .executeTakeFirst();
    expect(row).toEqual({ section: 'colours', document: ['red', { "it's": 'blue' }], updated_at: time });
  });

  test('answers how many rows a statement changed', async () => {
    await addGroup('a');
    const result = await database.kysely.updateTable('user_groups').set({ description: 'x' }).executeTakeFirst();
    expect(result.numUpdatedRows).toBe(1n);
  });

  test('keeps other queries out of a running transaction', async () => {
    const rolledBack = database.kysely.transaction().execute(async (transaction) => {
      await addGroup('inside', transaction);
      outside = addGroup('outside');
      await sql`select 1`.execute(transaction);
      throw new Error('changed my mind');
    });
    let outside: Promise<unknown> = Promise.resolve();
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await outside;
    expect(await groupNames()).toEqual(['outside']);
  });

  test('undoes a transaction whose statement fails, and reports the fault of the statement as it is', async () => {
    const failed = database.kysely.transaction().execute(async (transaction) => {
      await addGroup('twice', transaction);
      await addGroup('twice', transaction);
    });
    await expect(failed).rejects.toMatchObject({ code: '23505', constraint: 'user_groups_name_key' });
    expect(await groupNames()).toEqual([]);
  });

  test('serves callers that wait for a connection in the order in which they came', async () => {
    const releases = await holdAll();
    const names = Array.from({ length: 20 }, (_, index) => `group ${index}`);
    const added = names.map((name) => addGroup(name));
    expect(database.poolStats()).toMatchObject({ idle: 0, inUse: releases.length, waiting: names.length });
    const [first, ...others] = releases;
    await first?.();
    await Promise.all(added);
    expect(await groupNames()).toEqual(names);
    await Promise.all(others.map((release) => release()));
    expect(database.poolStats()).toMatchObject({ inUse: 0, waiting: 0 });
  });

  test('tells listeners what was notified, once it is committed', async () => {
    const heard: string[] = [];
    const stop = await database.listen('door "bell"', (payload) => heard.push(payload));
    const ring = (payload: string, kysely = database.kysely) =>
      sql`select pg_notify('door "bell"', ${payload})`.execute(kysely);

    await database.kysely.transaction().execute(async (transaction) => {
      await ring('first', transaction);
      await sql`select 1`.execute(transaction);
      expect(heard).toEqual([]);
    });
    await ring('second');
    await waitFor(() => heard.length === 2, { what: 'both payloads' });
    expect(heard).toEqual(['first', 'second']);

    await stop();
    const later: string[] = [];
    await database.listen('other bell', (payload) => later.push(payload));
    await ring('unheard');
    await sql`notify "other bell", 'third'`.execute(database.kysely);
    await waitFor(() => later.length === 1, { what: 'the other channel' });
    expect(heard).toEqual(['first', 'second']);
  });

  test('keeps a listener that throws from harming others', async () => {
    const heard: string[] = [];
    await database.listen('noise', () => {
      throw new Error('no');
    });
    await database.listen('noise', (payload) => heard.push(payload));
    await sql`notify noise, 'loud'`.execute(database.kysely);
    expect(await waitFor(() => heard[0], { what: 'the second listener' })).toBe('loud');
  });

  describe('with little patience', () => {
    let impatient: Database;
    beforeAll(async () => {
      impatient = await openTestDatabase(kind, { maxConnections: 2, queryTimeoutMs: 500, connectTimeoutMs: 1_000 });
    });
    afterAll(async () => impatient[Symbol.asyncDispose]());
    const servesAgain = () => waitFor(() => impatient.check().then(() => true), { what: 'the next query' });

    test('refuses a caller that waited too long for a connection', async () => {
      const releases = await holdAll(impatient);
      await expect(impatient.check()).rejects.toThrow(DatabaseUnavailable);
      await Promise.all(releases.map((release) => release()));
      await servesAgain();
    });

    test('gives a query up that takes too long, and serves the next one', async () => {
      const slow = sql`select pg_sleep(0.8)`.execute(impatient.kysely);
      await expect(slow).rejects.toThrow(DatabaseUnavailable);
      await servesAgain();
    });
  });
});
