import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { emptySnapshot, type GroupEntry, type Snapshot } from '../snapshot/snapshot.ts';
import type { BudgetAccount } from '../snapshot/budget-account.ts';
import { NewBudgets } from './load-new-budgets.ts';

const rule = { budgetMicroUsd: 3, warningThreshold: 0.8, blockAtThreshold: false };
const withGroups = (...groups: readonly (readonly [id: number, budget?: typeof rule])[]): Snapshot => ({
  ...emptySnapshot,
  groups: new Map<number, GroupEntry>(
    groups.map(([id, budget]) => [id, { id, name: `group ${id}`, active: true, budget }]),
  ),
});

function open() {
  const catchUp = Promise.withResolvers<void>();
  const learned: string[] = [];
  let loaded = 0;
  const budgets = new NewBudgets({
    catchUp: { catchUpOnce: () => catchUp.promise },
    service: {
      learn: async (accounts: readonly BudgetAccount[]) => void learned.push(...accounts.map(({ key }) => key)),
    },
    onLoaded: () => void (loaded += 1),
    now: () => new Date('2026-11-28T00:00:00Z'),
  });
  return { budgets, learned, catchUp, loaded: () => loaded };
}

test('what was spent before a budget was set is loaded before the change is in force', async () => {
  const { budgets, learned, catchUp, loaded } = open();
  budgets.follow(withGroups([1], [2, rule]));
  expect(budgets.isLoading).toBe(false);
  budgets.follow(withGroups([1, rule], [2, rule]));
  expect([budgets.isLoading, loaded()]).toEqual([true, 0]);
  // What changes meanwhile waits with it.
  budgets.follow(withGroups([1, rule], [2, { ...rule, budgetMicroUsd: 1 }]));
  expect(budgets.isLoading).toBe(true);
  catchUp.resolve();
  while (budgets.isLoading) await setImmediate();
  expect([learned, loaded()]).toEqual([['user_group:1:2026-11:0'], 1]);
});

test('a budget of the organization is loaded, too', async () => {
  const { budgets, learned, catchUp } = open();
  catchUp.resolve();
  budgets.follow(withGroups([1]));
  budgets.follow({ ...withGroups([1]), budgets: { organization: rule, resets: new Map() } });
  while (budgets.isLoading) await setImmediate();
  expect(learned).toEqual(['organization:0:2026-11:0']);
});
