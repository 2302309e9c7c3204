import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createInProcessAccounts } from '@portcullis/platform/coordination/in-process/accounts';
import type { Accounts } from '@portcullis/platform/coordination/coordination';
import type { Exchange } from '../exchange/exchange.ts';
import type { BudgetAccount } from '../snapshot/budget-account.ts';
import { BudgetService } from './budget-service.ts';
import type { BudgetReset } from '../snapshot/snapshot.ts';
import type { ExchangeBudget } from '../exchange/exchange-budget.ts';

const budget = { budgetMicroUsd: 1_000, warningThreshold: 0.8, blockAtThreshold: false };

const exchangeAt = (timestamp: string, resets: ReadonlyMap<string, BudgetReset> = new Map()): Exchange =>
  ({
    timestamp,
    group: { id: 3, budget },
    snapshot: { budgets: { organization: undefined, resets } },
  }) as unknown as Exchange;

/** An exchange that costs `cost`; answers what its budget said. */
async function spend(service: BudgetService, exchange: Exchange, cost: number): Promise<ExchangeBudget> {
  const opened = service.open(exchange);
  if (opened === undefined) throw new Error('There is no budget');
  await service.reserve(opened, cost);
  if (opened.held !== undefined) await service.settle(opened.held, cost);
  return opened;
}

/** Accounts that can be taken away, and emptied; so many processes share them. */
function createFragileAccounts(sharers = 1) {
  let accounts = createInProcessAccounts();
  const fragile = {
    away: false,
    forget: () => void (accounts = createInProcessAccounts()),
    reserve: async (...claim: Parameters<Accounts['reserve']>) => {
      if (fragile.away) throw new Error('away');
      return accounts.reserve(...claim);
    },
    settle: async (...held: Parameters<Accounts['settle']>) => {
      if (fragile.away) throw new Error('away');
      return accounts.settle(...held);
    },
    share: () => Promise.resolve(sharers),
  };
  return fragile;
}

const open = (
  accounts: Accounts,
  spentSince: (account: BudgetAccount) => number = () => 0,
  caughtUp: () => Promise<void> = () => Promise.resolve(),
) => new BudgetService({ accounts, localAccounts: createInProcessAccounts(), sums: { spentSince, caughtUp } });

const november = exchangeAt('2026-11-30T23:59:59.999Z');

test('a month ends at midnight UTC, and what is settled late still counts for its own', async () => {
  const service = open(createInProcessAccounts());
  const last = service.open(november);
  if (last === undefined) throw new Error('There is no budget');
  await service.reserve(last, 1_000);
  expect((await spend(service, november, 1)).refusedBy).toMatchObject({ period: '2026-11' });

  const december = exchangeAt('2026-12-01T00:00:00.000Z');
  expect((await spend(service, december, 10)).refusedBy).toBeUndefined();
  if (last.held !== undefined) await service.settle(last.held, 1_000);
  expect((await spend(service, december, 0)).spent).toEqual([10]);
  expect((await spend(service, november, 0)).spent).toEqual([1_000]);
});

test('a reset begins anew, with requests under way', async () => {
  // What the database sums up is the whole month.
  const service = open(createInProcessAccounts(), ({ resetAtMicroUsd }) => Math.max(0, 1_000 - resetAtMicroUsd));
  expect((await spend(service, november, 1)).refusedBy).toBeDefined();
  const reset = exchangeAt(november.timestamp, new Map([['user_group:3:2026-11', { id: 8, spentMicroUsd: 1_000 }]]));
  expect((await spend(service, reset, 5)).spent).toEqual([0]);
  expect((await spend(service, reset, 0)).spent).toEqual([5]);
});

test('what the usage records sum up counts where it is more, and only once', async () => {
  let known = 400;
  const service = open(createFragileAccounts(), () => known);
  expect((await spend(service, november, 100)).spent).toEqual([400]);
  // The record of that exchange has arrived in the database, perhaps twice.
  known = 500;
  expect((await spend(service, november, 0)).spent).toEqual([500]);
});

test('accounts that were emptied are what they were with the next exchange', async () => {
  const accounts = createFragileAccounts();
  const service = open(accounts);
  await spend(service, november, 300);
  await spend(service, november, 300);
  accounts.forget();
  expect((await spend(service, november, 0)).spent[0]).toBeGreaterThanOrEqual(300);
});

test('while they are away this process goes on, and its spending is there when they are back', async () => {
  const accounts = createFragileAccounts();
  let known = 0;
  const catchingUp = Promise.withResolvers<void>();
  const service = open(
    accounts,
    () => known,
    () => catchingUp.promise,
  );
  await service.look();
  await spend(service, november, 300);
  accounts.away = true;
  const alone = await spend(service, november, 600);
  expect(alone).toMatchObject({ certain: false, spent: [300], refusedBy: undefined });
  expect(await spend(service, november, 200)).toMatchObject({ spent: [900], refusedBy: undefined });
  expect((await spend(service, november, 1)).refusedBy).toBeDefined();

  accounts.away = false;
  // Held until the records of the usage tell it, and never counted twice.
  for (let times = 0; times < 2; times += 1) {
    const back = await spend(service, november, 1);
    expect(back).toMatchObject({ certain: true, spent: [300] });
    expect(back.refusedBy).toBeDefined();
  }
  known = 1_100;
  catchingUp.resolve();
  await setImmediate();
  expect(await spend(service, november, 1)).toMatchObject({ certain: true, spent: [1_100] });
  expect(await balanceOf(accounts)).toEqual({ spent: 1_100, held: 0 });
});

const balanceOf = async (accounts: Accounts) => {
  const claim = { key: 'user_group:3:2026-11:0', limit: 0, atLeastSpent: 0 };
  return (await accounts.reserve([claim], 0)).balances[0];
};

describe('several processes that are cut off', () => {
  const cost = 100;
  /** Spends until it is refused; answers how often it was not. */
  const exhaust = async (service: BudgetService): Promise<number> => {
    for (let times = 0; ; times += 1) {
      if ((await spend(service, november, cost)).refusedBy !== undefined) return times;
    }
  };

  test.each([1, 2, 4, 7])('split what was left: %i', async (sharers) => {
    const accounts = createFragileAccounts(sharers);
    const desks = Array.from({ length: sharers }, () => open(accounts));
    const lookAround = () => Promise.all(desks.map((service) => service.look()));
    const [first] = desks as [BudgetService];
    for (const service of desks) service.open(november);
    await Promise.all(desks.map((service) => spend(service, november, 0)));
    await spend(first, november, cost);
    await lookAround();

    accounts.away = true;
    const passed = await Promise.all(desks.map(exhaust));
    const total = cost + passed.reduce((sum, times) => sum + times * cost, 0);
    expect(total).toBeGreaterThanOrEqual(budget.budgetMicroUsd);
    // Each by less than what one exchange costs.
    expect(total).toBeLessThan(budget.budgetMicroUsd + sharers * cost);
    expect(Math.max(...passed) - Math.min(...passed)).toBeLessThanOrEqual(1);

    accounts.away = false;
    await lookAround();
    await setImmediate();
    const after = await Promise.all(desks.map((service) => spend(service, november, 0)));
    expect(after.every(({ certain }) => certain)).toBe(true);
  });

  test('go on where the usage records know that more is left, and no further', async () => {
    const accounts = createFragileAccounts(4);
    let known = 0;
    const service = open(accounts, () => known);
    await service.look();
    await spend(service, november, 0);
    accounts.away = true;
    expect(await exhaust(service)).toBe(3);
    // Its own records have arrived, and no other process spent anything.
    known = 300;
    expect(await exhaust(service)).toBe(2);
    known = 1_000;
    expect(await exhaust(service)).toBe(0);
  });

  test('know nothing of each other before they heard of the store', async () => {
    const accounts = createFragileAccounts();
    accounts.away = true;
    expect(await exhaust(open(accounts))).toBe(2);
  });
});

test('a settling that fails counts in this process', async () => {
  const accounts = createFragileAccounts();
  const service = open(accounts);
  const held = service.open(november);
  if (held === undefined) throw new Error('There is no budget');
  await service.reserve(held, 10);
  accounts.away = true;
  if (held.held !== undefined) await service.settle(held.held, 700);
  expect((await spend(service, november, 0)).spent).toEqual([700]);
});
