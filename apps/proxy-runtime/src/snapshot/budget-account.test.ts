import { expect, test } from '@jest/globals';
import { findAccounts, findNewRules, type Payer } from './budget-account.ts';
import type { BudgetEntries } from './snapshot.ts';

const rule = (budgetMicroUsd: number) => ({ budgetMicroUsd, warningThreshold: 0.8, blockAtThreshold: false });
const none: BudgetEntries = { organization: undefined, resets: new Map() };
const key = { id: 5, name: 'ci', groupId: 3, active: true, expiresAtMs: Number.POSITIVE_INFINITY, ownerId: 8 };
const group = { id: 3, name: 'team', active: true, budget: rule(300) };
const now = '2026-11-28T16:00:00.000Z';

const found = (budgets: BudgetEntries, payer: Partial<Payer> = {}) =>
  findAccounts({ group, key, snapshot: { budgets }, timestamp: now, ...payer }).map(
    ({ key: name, rule: { budgetMicroUsd } }) => `${name} ${budgetMicroUsd}`,
  );

const rules = new Map([
  ['api_key:5:day', rule(5)],
  ['api_key:5:month', rule(50)],
  ['user:8:day', rule(8)],
  ['api_key:6:day', rule(6)],
]);

test('a request is paid by the budgets of its key, its user, its group and the organization', () => {
  expect(found({ ...none, organization: rule(1_000), rules })).toEqual([
    'api_key:5:2026-11-28:0 5',
    'api_key:5:2026-11:0 50',
    'user:8:2026-11-28:0 8',
    'user_group:3:2026-11:0 300',
    'organization:0:2026-11:0 1000',
  ]);
  // A login has no key.
  const login = { key: undefined, user: { id: 8 } };
  expect(found({ ...none, rules }, login)).toEqual(['user:8:2026-11-28:0 8', 'user_group:3:2026-11:0 300']);
  expect(found(none, login)).toEqual(['user_group:3:2026-11:0 300']);
});

test('a day ends at midnight UTC', () => {
  const budgets = { ...none, rules };
  expect(found(budgets)[0]).toBe('api_key:5:2026-11-28:0 5');
  expect(found(budgets, { timestamp: '2026-11-29T00:00:00.000Z' })[0]).toBe('api_key:5:2026-11-29:0 5');
});

test('a raise counts until its end, and no longer', () => {
  const raises = new Map([
    ['user_group:3:month', [{ amountMicroUsd: 100, endsAt: '2026-11-28T17:00:00.000Z' }]],
    ['api_key:5:day', [{ amountMicroUsd: 1, endsAt: '2026-11-28T16:30:00.000Z' }]],
  ]);
  const budgets = { ...none, rules: new Map([['api_key:5:day', rule(5)]]), raises };
  const at = (timestamp: string) => found(budgets, { timestamp }).map((account) => account.split(' ')[1]);
  expect(at(now)).toEqual(['6', '400']);
  expect(at('2026-11-28T16:29:59.999Z')).toEqual(['6', '400']);
  expect(at('2026-11-28T16:30:00.000Z')).toEqual(['5', '400']);
  expect(at('2026-11-28T17:00:00.000Z')).toEqual(['5', '300']);
});

test('what is found is kept for the key, until the configuration is another', () => {
  const budgets = { ...none, rules };
  const payer = { group, key, snapshot: { budgets }, timestamp: now };
  expect(findAccounts(payer)).toBe(findAccounts(payer));
  expect(findAccounts({ ...payer, group: { ...group, budget: rule(1) } })).not.toBe(findAccounts(payer));
});

test('new budgets of keys and users are told, with their accounts', () => {
  const before = { ...none, rules: new Map([['api_key:5:day', rule(1)]]) };
  expect(findNewRules(before, { ...none, rules }, now).map((account) => account.key)).toEqual([
    'api_key:5:2026-11:0',
    'user:8:2026-11-28:0',
    'api_key:6:2026-11-28:0',
  ]);
});
