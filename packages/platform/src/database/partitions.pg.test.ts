import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import type { Database } from './database.ts';
import { dropPartitions, makePartitions } from './partitions.ts';
import { startRetention } from '../retention/retention.ts';

describe.each(databaseKinds)('the day partitions of the %s database', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(async () => database[Symbol.asyncDispose]());

  const dayMs = 86_400_000;
  const dropBefore = (time: string) => dropPartitions(database.kysely, 'usage_records', new Date(time));
  const saveUsage = (timestamp: string) =>
    database.kysely
      .insertInto('usage_records')
      .values({
        event_id: crypto.randomUUID(),
        timestamp,
        request_id: 'r',
        proxy_id: 1,
        protocol: 'openai-chat',
        model: 'm',
        input_tokens: 1,
        output_tokens: 1,
        total_tokens: 2,
        cost_micro_usd: 0,
        estimated: false,
      })
      .execute();

  test('hold the whole UTC day and no more, however often and by however many they are made', async () => {
    const days = ['2024-02-28', '2024-02-29'];
    await Promise.all([1, 2, 3].map(() => makePartitions(database.kysely, 'usage_records', days)));
    await saveUsage('2024-02-28T00:00:00.000Z');
    await saveUsage('2024-02-29T23:59:59.999Z');
    await expect(saveUsage('2024-03-01T00:00:00.000Z')).rejects.toMatchObject({ code: '23514' });
    await expect(saveUsage('2024-02-27T23:59:59.999Z')).rejects.toMatchObject({ code: '23514' });
  });

  test('go, with their records, once their day has ended', async () => {
    expect(await dropBefore('2024-02-28T23:59:59.999Z')).toEqual([]);
    expect(await dropBefore('2024-02-29T00:00:00.000Z')).toEqual(['2024-02-28']);
    const rows = await database.kysely.selectFrom('usage_records').select('timestamp').execute();
    expect(rows).toEqual([{ timestamp: new Date('2024-02-29T23:59:59.999Z') }]);
    expect(await dropBefore('2030-01-01T00:00:00.000Z')).toEqual(['2024-02-29']);
  });

  test('are dropped by the retention of their table', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const longAgo = new Date(Date.now() - 10 * dayMs).toISOString().slice(0, 10);
    for (const table of ['request_logs', 'usage_records'] as const) {
      await makePartitions(database.kysely, table, [longAgo, today]);
    }
    await using _ = startRetention({
      database,
      log: silentLog,
      keepMs: {
        request_logs: 5 * dayMs,
        usage_records: 365 * dayMs,
        guardrail_checks: 30 * dayMs,
        mcp_tool_calls: 30 * dayMs,
        agent_invocations: 30 * dayMs,
      },
    });
    const partitions = async () => {
      const tables = await database.kysely.introspection.getTables();
      return tables.map(({ name }) => name).filter((name) => /^(request_logs|usage_records)_/.test(name));
    };
    await waitFor(async () => (await partitions()).length === 3, { what: 'the expired partition to go' });
    const compact = (day: string) => day.replaceAll('-', '');
    expect((await partitions()).sort()).toEqual([
      `request_logs_${compact(today)}`,
      `usage_records_${compact(longAgo)}`,
      `usage_records_${compact(today)}`,
    ]);
  });

  test('leave the hours of a proxy behind as long as its requests are kept', async () => {
    const hourOf = (ageDays: number) => new Date(Date.now() - ageDays * dayMs).toISOString();
    const counts = { requests: 1, failed: 0, duration_ms: 1, bytes: 1 };
    await database.kysely
      .insertInto('hourly_requests')
      .values([40, 70].map((ageDays) => ({ hour: hourOf(ageDays), proxy_id: ageDays, ...counts })))
      .execute();
    await using _ = startRetention({
      database,
      log: silentLog,
      keepMs: {
        request_logs: 60 * dayMs,
        usage_records: 30 * dayMs,
        guardrail_checks: 30 * dayMs,
        mcp_tool_calls: 30 * dayMs,
        agent_invocations: 30 * dayMs,
      },
    });
    const proxies = async () => {
      const rows = await database.kysely.selectFrom('hourly_requests').select('proxy_id').execute();
      return rows.map(({ proxy_id: id }) => id);
    };
    await waitFor(async () => !(await proxies()).includes(70), { what: 'the older hour to go' });
    expect(await proxies()).toEqual([40]);
  });
});
