import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import { listAuditLogs } from '@portcullis/contracts/routes/audit';
import {
  endBudgetRaise,
  listBudgetRaises,
  listBudgets,
  raiseBudget,
  removeKeyBudget,
  setKeyBudget,
  setUserBudget,
  type BudgetQuery,
} from '@portcullis/contracts/routes/budget-list';
import { getGroupBudgetStatus, getUserBudgetStatus, resetUserBudget } from '@portcullis/contracts/routes/budgets';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { createUser } from '@portcullis/contracts/routes/users';
import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { fakeCalendar } from '@portcullis/testkit/fake-timers';
import { record, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const usd = 1_000_000;
fakeCalendar(new Date());
const month = budgetMonth(new Date());

describe.each(stores)('all budgets (%s)', (store) => {
  let management: TestManagement;
  let team: { readonly id: number };
  let key: { readonly id: number };
  let ada: { readonly id: number };
  beforeAll(async () => {
    management = await startManagement(store);
    const { admin } = management;
    team = await admin.data(createUserGroup, { body: { name: 'research', monthly_budget: 100 } });
    const person = { username: 'ada', password: 'Ada-Password-1234', role: 'viewer' } as const;
    ada = (await admin.data(createUser, { body: person })).user;
    const body = { user_group_id: team.id, name: 'ci', owner_id: ada.id };
    key = (await admin.data(createApiKey, { body })).api_key;
    await record(management.infrastructure, [
      usageRecord({ user_group_id: team.id, api_key_id: key.id, cost_micro_usd: 9 * usd }),
    ]);
  });
  afterAll(() => management.stop());

  const list = (query: Partial<BudgetQuery> = {}) =>
    management.admin.data(listBudgets, { query: { limit: 100, offset: 0, ...query } });
  const set = (period: 'day' | 'month', amount: number) =>
    management.admin.data(setKeyBudget, { params: { id: key.id, period }, body: { amount } });

  test('are listed in one call, the fullest first', async () => {
    expect(await set('day', 10)).toMatchObject({ level: 'api_key', id: key.id, limit: 10, spent: 9, state: 'warning' });
    const params = { id: ada.id, period: 'month' } as const;
    await management.admin.data(setUserBudget, { params, body: { amount: 18, block_at_threshold: true } });
    const budgets = await list();
    expect(budgets.map(({ level, id, spent, limit, period }) => [level, id, spent, limit, period])).toEqual([
      ['api_key', key.id, 9, 10, 'day'],
      ['user', ada.id, 9, 18, 'month'],
      ['user_group', team.id, 9, 100, 'month'],
    ]);
    expect(budgets[0]).toMatchObject({
      name: 'ci',
      remaining: 1,
      utilization_percent: 90,
      forecast: { projected_total: expect.any(Number) },
    });
    expect(budgets[2]).toMatchObject({ name: 'research', state: 'ok', begins_anew_at: month.end.toISOString() });
    expect(await list({ state: 'warning' })).toHaveLength(1);
    expect((await list({ level: 'user' })).map(({ name }) => name)).toEqual(['ada']);
    expect((await list({ search: 'RESE' })).map(({ name }) => name)).toEqual(['research']);
    expect(await list({ limit: 1, offset: 3 })).toEqual([]);
  });

  test('of keys are changed, removed and audited; unknown keys and users have none', async () => {
    expect(await set('month', 9)).toMatchObject({ limit: 9, state: 'blocked' });
    expect(await set('month', 12)).toMatchObject({ limit: 12, state: 'ok' });
    expect(await management.admin.data(getUserBudgetStatus, { params: key })).toMatchObject({
      monthly_budget: 12,
      budget_remaining: 3,
    });
    await management.admin.data(resetUserBudget, { params: key });
    expect((await list({ level: 'api_key', period: 'month' }))[0]).toMatchObject({ spent: 0 });
    const params = { id: key.id, period: 'month' } as const;
    expect(await management.admin.status(removeKeyBudget, { params })).toBe(200);
    expect(await management.admin.status(removeKeyBudget, { params })).toBe(404);
    const unknown = { params: { id: 999_999, period: 'day' } as const, body: { amount: 1 } };
    expect(await management.admin.status(setKeyBudget, unknown)).toBe(404);
    expect(await management.admin.status(setUserBudget, unknown)).toBe(404);
    const { logs } = await management.admin.data(listAuditLogs, { query: { event_type: 'budget.updated' } });
    expect(logs[0]).toMatchObject({ resource: { type: 'api_key_budget', id: String(key.id) } });
  });

  test('are raised until an end, by which they are what they were', async () => {
    const body = { level: 'user_group', subject_id: team.id, amount: 50, reason: 'Release week' } as const;
    const raise = await management.admin.data(raiseBudget, { body });
    expect(raise).toMatchObject({ ends_at: month.end.toISOString(), created_by: 'admin', amount: 50 });
    expect((await list({ level: 'user_group' }))[0]).toMatchObject({
      limit: 150,
      raised_by: 50,
      raised_until: month.end.toISOString(),
    });
    expect(await management.admin.data(getGroupBudgetStatus, { params: team })).toMatchObject({ monthly_budget: 150 });
    const soon = new Date(Date.now() + 60_000).toISOString();
    await management.admin.data(raiseBudget, { body: { ...body, ends_at: soon } });
    expect((await list({ level: 'user_group' }))[0]).toMatchObject({ limit: 200, raised_until: soon });
    const raises = await management.admin.data(listBudgetRaises, { query: { limit: 10, offset: 0 } });
    expect(raises.map((one) => one.ends_at)).toEqual([soon, month.end.toISOString()]);
    await management.admin.data(endBudgetRaise, { params: raise });
    expect(await management.admin.status(endBudgetRaise, { params: raise })).toBe(404);
    expect((await list({ level: 'user_group' }))[0]).toMatchObject({ limit: 150 });
    const { logs } = await management.admin.data(listAuditLogs, { query: { event_type: 'budget.raised' } });
    expect(logs).toHaveLength(2);
  });

  test.each([
    ['subject_id', { level: 'user_group', amount: 1 }, 400],
    ['subject_id', { level: 'organization', subject_id: 1, amount: 1 }, 400],
    ['amount', { level: 'user_group', subject_id: 1, amount: 0 }, 400],
    ['ends_at', { level: 'user_group', subject_id: 1, amount: 1, ends_at: '2020-01-01T00:00:00Z' }, 400],
    ['ends_at', { level: 'user_group', subject_id: 1, amount: 1, ends_at: '2999-01-01T00:00:00Z' }, 400],
    ['organization', { level: 'organization', amount: 1 }, 404],
    ['user_group', { level: 'user_group', subject_id: 999_999, amount: 1 }, 404],
  ] as const)('are not raised with a wrong %s', async (field, body, status) => {
    const refusal = await management.admin.refusal(raiseBudget, { body });
    expect(refusal).toMatchObject({ status });
    expect(refusal.message?.replaceAll(' ', '_')).toContain(field);
  });
});
