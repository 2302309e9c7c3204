import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@portcullis/platform/database/database';
import { stores, openTestDatabase, silentLog } from '@portcullis/platform/test/test-database';
import type { BudgetAccount } from '../src/snapshot/budget-account.ts';
import { createSpendingFeed } from '../src/budgets/spending-sums.ts';

const rule = { budgetMicroUsd: 1, warningThreshold: 0.8, blockAtThreshold: false };
const account = (id: number, period = '2026-11', resetAtMicroUsd = 0): BudgetAccount => ({
  level: id === 0 ? 'organization' : 'user_group',
  id,
  period,
  key: '',
  rule,
  resetAtMicroUsd,
});

describe.each(stores)('what usage records sum up (%s)', (kind) => {
  let database: Database;
  let folder: string;
  let path: string;
  const now = () => new Date('2026-11-30T23:59:00Z');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portcullis-sums-'));
    path = join(folder, 'sums.json');
    database = await openTestDatabase(kind);
    await add('2026-10-31', 3, 1_000);
    await add('2026-11-01', 3, 20);
    await add('2026-11-30', 3, 3);
    await add('2026-11-30', 4, 100);
    await add('2026-12-01', 3, 5_000);
  });

  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const add = (day: string, userGroupId: number, cost: number) =>
    database.kysely
      .insertInto('daily_usage')
      .values({
        day,
        proxy_id: 1,
        user_group_id: userGroupId,
        api_key_id: 999,
        protocol: 'p',
        model: `m${cost}`,
        requests: 1,
        input_tokens: 1,
        output_tokens: 1,
        total_tokens: 2,
        cost_micro_usd: cost,
      })
      .execute();

  test('is told by group and as a whole, for this month and since the latest reset', async () => {
    await using feed = createSpendingFeed({ database, path, log: silentLog, now });
    await feed.start();
    expect([account(3), account(4), account(0), account(5)].map(feed.spentSince)).toEqual([23, 100, 123, 0]);
    expect(feed.spentSince(account(3, '2026-12'))).toBe(0);
    expect(feed.spentSince(account(3, '2026-11', 20))).toBe(3);
    expect(feed.spentSince(account(3, '2026-11', 50))).toBe(0);

    await add('2026-11-30', 3, 7);
    await feed.refresh();
    expect(feed.spentSince(account(3))).toBe(30);
  });

  test('is told of keys and users with a budget, for the month and the day', async () => {
    const { kysely } = database;
    const group = await kysely
      .insertInto('user_groups')
      .values({ name: 'g' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const key = { user_group_id: group.id, key_hash: 'h', key_prefix: 'p' };
    const { id: keyId } = await kysely.insertInto('api_keys').values(key).returning('id').executeTakeFirstOrThrow();
    const person = { username: 'ada', email: 'ada@example.com', role: 'user', password_hash: 'none' } as const;
    const { id: userId } = await kysely.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow();
    const common = { period: 'day', amount_micro_usd: 1 };
    await kysely
      .insertInto('budgets')
      .values([
        { ...common, api_key_id: keyId },
        { ...common, user_id: userId },
      ])
      .execute();
    const sums = { requests: 1, input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const of = { proxy_id: 1, user_group_id: group.id, api_key_id: keyId, model: 'm', ...sums };
    for (const [day, cost] of [
      ['2026-10-31', 500],
      ['2026-11-29', 30],
      ['2026-11-30', 5],
    ] as const) {
      await kysely
        .insertInto('daily_usage')
        .values({ day, protocol: 'p', ...of, cost_micro_usd: cost })
        .execute();
      const hour = { hour: `${day}T23:00:00Z`, user_id: userId, ...of, cost_micro_usd: cost };
      await kysely.insertInto('hourly_usage').values(hour).execute();
    }
    await using feed = createSpendingFeed({ database, path, log: silentLog, now });
    await feed.start();
    const spent = (level: 'api_key' | 'user', id: number, period: string) =>
      feed.spentSince({ ...account(id, period), level });
    for (const [level, id] of [
      ['api_key', keyId],
      ['user', userId],
    ] as const) {
      expect(['2026-11', '2026-11-30', '2026-11-29', '2026-10'].map((period) => spent(level, id, period))).toEqual([
        35, 5, 0, 0,
      ]);
    }
  });

  test('is remembered for a start without the database', async () => {
    {
      await using feed = createSpendingFeed({ database, path, log: silentLog, now });
      await feed.start();
    }
    const away = await openTestDatabase(kind);
    await away[Symbol.asyncDispose]();
    await using feed = createSpendingFeed({ database: away, path, log: silentLog, now });
    await feed.start();
    expect(feed.spentSince(account(4))).toBe(100);
  });
});
