import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import type { Database } from '../database/database.ts';
import {
  createOutboxRelay,
  type OutboxBatchHandler,
  type OutboxHandler,
  type OutboxRelayOptions,
} from './outbox-relay.ts';

describe.each(databaseKinds)('the relay of an outbox in the %s database', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(async () => database[Symbol.asyncDispose]());
  beforeEach(async () => void (await database.kysely.deleteFrom('outbox').execute()));

  const send = (numbers: readonly number[], topic = 'number') =>
    database.kysely
      .insertInto('outbox')
      .values(numbers.map((number) => ({ topic, payload: JSON.stringify({ number }) })))
      .execute();
  const waiting = async () => {
    const rows = await database.kysely.selectFrom('outbox').select('payload').orderBy('id').execute();
    return rows.map(({ payload }) => (payload as { number: number }).number);
  };
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const startRelay = async (handler: OutboxHandler, options: Partial<OutboxRelayOptions> = {}) => {
    const relay = createOutboxRelay({ database, log: silentLog, handlers: { number: handler }, ...options });
    await relay.start();
    return relay;
  };
  /** Notes the numbers it is given. */
  const noting =
    (numbers: number[]): OutboxHandler =>
    async (payload) =>
      void numbers.push((payload as { number: number }).number);

  test('carries what waits and what comes, in order, and empties the outbox', async () => {
    const carried: number[] = [];
    await send(range(0, 250));
    await using _ = await startRelay(noting(carried));
    await send(range(250, 260));
    await waitFor(() => carried.length === 260, { what: 'all messages' });
    expect(carried).toEqual(range(0, 260));
    await waitFor(async () => (await waiting()).length === 0, { what: 'an empty outbox' });
  });

  test('hands on together what follows each other, all or none', async () => {
    await database.kysely.deleteFrom('settings').where('section', '=', 'of-a-batch').execute();
    await send(range(0, 3));
    await send([3], 'letter');
    await send(range(4, 8));
    const carried: (readonly number[])[] = [];
    let failures = 0;
    const carryAll: OutboxBatchHandler['carryAll'] = async (messages, { kysely }) => {
      const numbers = messages.map(({ payload }) => (payload as { number: number }).number);
      // Written again by the second try, unless the first one was undone.
      if (numbers.includes(4))
        await kysely.insertInto('settings').values({ section: 'of-a-batch', document: '{}' }).execute();
      if (numbers.includes(4) && failures === 0) {
        failures += 1;
        throw new Error('not now');
      }
      carried.push(numbers);
    };
    const letters: number[] = [];
    await using _ = await startRelay(noting([]), { handlers: { number: { carryAll }, letter: noting(letters) } });
    await waitFor(async () => (await waiting()).length === 0, { what: 'an empty outbox' });
    expect({ carried, letters, failures }).toEqual({
      carried: [
        [0, 1, 2],
        [4, 5, 6, 7],
      ],
      letters: [3],
      failures: 1,
    });
  });

  test('keeps a message whose handler fails, and those behind it, until the handler succeeds', async () => {
    const carried: number[] = [];
    let failures = 0;
    let failing = true;
    await send(range(0, 5));
    await using _ = await startRelay(async (payload, id, transaction) => {
      if ((payload as { number: number }).number === 2 && failing) {
        failures += 1;
        throw new Error('not now');
      }
      await noting(carried)(payload, id, transaction);
    });
    await waitFor(() => failures > 1, { what: 'a second failure' });
    await waitFor(async () => (await waiting()).length === 3, { what: 'the first two to be through' });
    expect(carried).toEqual([0, 1]);
    failing = false;
    await waitFor(() => carried.length === 5, { what: 'the rest' });
    expect(carried).toEqual(range(0, 5));
  });

  test('lets a handler read by the session that has the messages', async () => {
    const counts: number[] = [];
    await send([1, 2]);
    await using _ = await startRelay(async (_payload, _id, { kysely }) => {
      counts.push((await kysely.selectFrom('outbox').select('id').execute()).length);
    });
    await waitFor(() => counts.length === 2, { what: 'both messages' });
    expect(counts).toEqual([2, 2]);
  });

  test('takes a handler that hangs for one that failed', async () => {
    const attempts: number[] = [];
    await send([1]);
    const hanging: OutboxHandler = async (_, id) => {
      attempts.push(id);
      if (attempts.length === 1) await new Promise(() => {});
    };
    await using _ = await startRelay(hanging, { handlerTimeoutMs: 20 });
    await waitFor(async () => (await waiting()).length === 0, { what: 'the second attempt' });
    expect(attempts).toEqual([attempts[0], attempts[0]]);
  });

  test('leaves messages that are not for it', async () => {
    const carried: number[] = [];
    await send([7], 'other');
    await using _ = await startRelay(noting(carried));
    await send([8]);
    await waitFor(() => carried.length === 1, { what: 'its own message' });
    await waitFor(async () => (await waiting()).length === 1, { what: 'its own message to be gone' });
    expect(await waiting()).toEqual([7]);
  });

  test('works in turns with other replicas, so that each message is carried once and in order', async () => {
    const carried: number[] = [];
    await using _first = await startRelay(noting(carried));
    await using _second = await startRelay(noting(carried));
    for (const number of range(0, 50)) await send([number]);
    await waitFor(() => carried.length >= 50, { what: 'all messages' });
    expect(carried).toEqual(range(0, 50));
  });
});
