import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import {
  getGroupBudgetStatus,
  getOrganizationBreakdown,
  getOrganizationBudgetStatus,
  getOrganizationForecast,
  getProxyBudgetStatus,
  getUserBudgetStatus,
  getUserGroupBudgetStatus,
  resetAllBudgets,
  resetGroupBudget,
  resetOrganizationBudget,
  resetUserBudget,
  updateOrganizationBudget,
} from '@portcullis/contracts/routes/budgets';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { fakeCalendar } from '@portcullis/testkit/fake-timers';
import { record, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const usd = 1_000_000;
const unknown = { id: 999_999 };
fakeCalendar(new Date());
const thisMonth = budgetMonth(new Date());
const lastMonth = new Date(thisMonth.start.getTime() - 1);

describe.each(stores)('budgets (%s)', (store) => {
  let management: TestManagement;
  let proxyId: number;
  beforeAll(async () => {
    management = await startManagement(store);
    const body = { name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 25_001 } as const;
    proxyId = (await management.admin.data(createProxy, { body })).id;
  });
  afterAll(() => management.stop());

  let counter = 0;
  const createGroup = async (fields: object = {}) => {
    counter += 1;
    const group = await management.admin.data(createUserGroup, { body: { name: `group-${counter}`, ...fields } });
    const body = { user_group_id: group.id, name: `key-${counter}` };
    const { api_key: key } = await management.admin.data(createApiKey, { body });
    const spend = (microUsd: number, fields: { readonly timestamp?: string; readonly model?: string } = {}) =>
      record(management.infrastructure, [
        usageRecord({
          proxy_id: proxyId,
          user_group_id: group.id,
          api_key_id: key.id,
          cost_micro_usd: microUsd,
          ...fields,
        }),
      ]);
    return { group, key, spend };
  };
  const statusOf = (group: { readonly id: number }) => management.admin.data(getGroupBudgetStatus, { params: group });
  const auditOf = async (eventType: string) => {
    const { kysely } = management.infrastructure.database;
    const rows = kysely.selectFrom('audit_log').select(['resource_type', 'resource_id', 'details', 'changes']);
    return rows.where('event_type', '=', eventType).orderBy('id', 'desc').execute();
  };

  describe('of a user group', () => {
    test('show exactly what is left', async () => {
      const { group, spend } = await createGroup({ monthly_budget: 100 });
      expect(await statusOf(group)).toEqual({
        user_group_id: group.id,
        monthly_budget: 100,
        current_month_spending: 0,
        budget_remaining: 100,
        budget_utilization_percent: 0,
        is_exceeded: false,
        is_warning_threshold: false,
        warning_threshold: 0.8,
      });
      await spend(74_999_999);
      await spend(1);
      expect(await statusOf(group)).toMatchObject({
        current_month_spending: 75,
        budget_remaining: 25,
        budget_utilization_percent: 75,
        is_warning_threshold: false,
      });
      await spend(5 * usd);
      expect(await statusOf(group)).toMatchObject({ is_warning_threshold: true, is_exceeded: false });
      await spend(20.5 * usd);
      const status = await management.admin.data(getUserGroupBudgetStatus, { params: group });
      expect(status).toMatchObject({
        current_month_spending: 100.5,
        budget_remaining: 0,
        budget_utilization_percent: 100,
        is_exceeded: true,
      });
    });

    test('have nothing left to tell where none is set', async () => {
      const { group, spend } = await createGroup();
      await spend(3 * usd);
      expect(await statusOf(group)).toMatchObject({
        monthly_budget: null,
        current_month_spending: 3,
        budget_remaining: null,
        budget_utilization_percent: 0,
        is_exceeded: false,
      });
    });

    test('begin anew with the month, at 00:00 UTC', async () => {
      const { group, spend } = await createGroup({ monthly_budget: 10 });
      await spend(9 * usd, { timestamp: lastMonth.toISOString() });
      expect(await statusOf(group)).toMatchObject({ current_month_spending: 0 });
      await spend(2 * usd, { timestamp: thisMonth.start.toISOString() });
      expect(await statusOf(group)).toMatchObject({ current_month_spending: 2 });
    });

    test('are reset by an admin, again and again, and lose no record', async () => {
      const { group, spend } = await createGroup({ monthly_budget: 10 });
      await spend(9 * usd);
      const reset = await management.admin.data(resetGroupBudget, { params: group });
      expect(reset).toMatchObject({ current_month_spending: 0, budget_remaining: 10 });
      await spend(4 * usd);
      expect(await statusOf(group)).toMatchObject({ current_month_spending: 4 });
      await management.admin.data(resetGroupBudget, { params: group });
      await spend(usd);
      expect(await statusOf(group)).toMatchObject({ current_month_spending: 1 });

      const breakdown = await management.admin.data(getOrganizationBreakdown, { query: { limit: 1_000 } });
      expect(breakdown.by_user_group).toContainEqual(
        expect.objectContaining({ user_group_id: group.id, user_group_name: group.name, total_cost: 14 }),
      );
      const { kysely } = management.infrastructure.database;
      const resets = kysely.selectFrom('budget_resets').select(['spent_micro_usd', 'reset_by', 'month']).orderBy('id');
      expect(await resets.where('level', '=', 'user_group').where('subject_id', '=', group.id).execute()).toEqual([
        { spent_micro_usd: 9 * usd, reset_by: 'admin', month: thisMonth.name },
        { spent_micro_usd: 13 * usd, reset_by: 'admin', month: thisMonth.name },
      ]);
      expect((await auditOf('usergroup.budget.reset'))[0]).toMatchObject({
        resource_type: 'user_group_budget',
        resource_id: String(group.id),
        changes: { current_month_spending: { from: 4, to: 0 } },
      });
      const changes = kysely.selectFrom('config_changes').select('id').where('kind', '=', 'budget_resets');
      expect(await changes.execute()).not.toEqual([]);
    });
  });

  describe('of the organization', () => {
    test('are set by an admin and held against everything that is spent', async () => {
      const before = await management.admin.data(getOrganizationBudgetStatus);
      const body = { monthly_budget: 1_000.5, budget_warning_threshold: 0.5, block_at_threshold: true };
      const set = await management.admin.data(updateOrganizationBudget, { body });
      expect(set).toEqual({
        monthly_budget: 1_000.5,
        current_month_spending: before.current_month_spending,
        budget_remaining: expect.any(Number),
        budget_utilization_percent: expect.any(Number),
        is_exceeded: false,
        is_warning_threshold: false,
        warning_threshold: 0.5,
        block_at_threshold: true,
        month: thisMonth.name,
        reset_date: thisMonth.end.toISOString(),
        last_reset_at: null,
      });
      const { spend } = await createGroup();
      await spend(7 * usd);
      const after = await management.admin.data(getOrganizationBudgetStatus);
      expect(after.current_month_spending).toBeCloseTo(before.current_month_spending + 7, 6);
      expect((await auditOf('budget.updated'))[0]).toMatchObject({
        changes: { monthly_budget: { from: null, to: 1_000.5 } },
      });
      const kept = await management.admin.data(updateOrganizationBudget, { body: { monthly_budget: null } });
      expect(kept).toMatchObject({ monthly_budget: null, warning_threshold: 0.5, block_at_threshold: true });
    });

    test('are refused out of range', async () => {
      for (const body of [
        { monthly_budget: -1 },
        { budget_warning_threshold: 1.1 },
        { block_at_threshold: 1 },
        { x: 1 },
      ]) {
        expect(await management.admin.refusal(updateOrganizationBudget, { body })).toMatchObject({
          status: 400,
          problems: [{ path: `/body/${Object.keys(body)[0]}` }],
        });
      }
    });

    test('are forecast from the pace so far', async () => {
      const { current_month_spending: spent } = await management.admin.data(getOrganizationBudgetStatus);
      await management.admin.data(updateOrganizationBudget, { body: { monthly_budget: 1_000_000 } });
      const forecast = await management.admin.data(getOrganizationForecast);
      expect(forecast).toEqual({
        current_usage: spent,
        budget_limit: 1_000_000,
        days_remaining: expect.any(Number),
        projected_total: expect.any(Number),
        projected_overrun: 0,
        projected_exhaustion_date: null,
        daily_average: expect.any(Number),
        recommendations: ['Spending stays within the budget at this pace'],
      });
      await management.admin.data(updateOrganizationBudget, { body: { monthly_budget: 0.000_001 } });
      expect(await management.admin.data(getOrganizationForecast)).toMatchObject({
        projected_exhaustion_date: new Date().toISOString().slice(0, 10),
        recommendations: [expect.stringContaining('is spent')],
      });
    });

    test('are reset', async () => {
      const reset = await management.admin.data(resetOrganizationBudget);
      expect(reset).toMatchObject({ current_month_spending: 0, last_reset_at: expect.any(String) });
      const { spend } = await createGroup();
      await spend(2 * usd);
      expect(await management.admin.data(getOrganizationBudgetStatus)).toMatchObject({ current_month_spending: 2 });
    });
  });

  test('users are the API keys that spend, and can be reset', async () => {
    const { group, key, spend } = await createGroup({ monthly_budget: 10 });
    await spend(6 * usd);
    const status = await management.admin.data(getUserBudgetStatus, { params: key });
    expect(status).toMatchObject({
      user_id: key.id,
      user_type: 'apikey',
      user_name: key.name,
      user_group_id: group.id,
      monthly_budget: null,
      current_month_spending: 6,
      last_reset_at: null,
    });
    expect(await management.admin.data(resetUserBudget, { params: key })).toMatchObject({ current_month_spending: 0 });
    expect(await statusOf(group)).toMatchObject({ current_month_spending: 6 });
  });

  test('proxies tell what went through them', async () => {
    const body = { name: 'other', type: 'llm', target: 'http://127.0.0.1:9', port: 25_002 } as const;
    const other = await management.admin.data(createProxy, { body });
    await record(management.infrastructure, [usageRecord({ proxy_id: other.id, cost_micro_usd: 5 })]);
    expect(await management.admin.data(getProxyBudgetStatus, { params: other })).toMatchObject({
      proxy_id: other.id,
      proxy_name: 'other',
      monthly_budget: null,
      current_month_spending: 0.000_005,
    });
  });

  test('a breakdown tells the cost apart, highest cost first', async () => {
    const { group, key, spend } = await createGroup();
    await spend(900 * usd, { model: 'dear-1' });
    await spend(100 * usd, { model: 'cheap-1' });
    const breakdown = await management.admin.data(getOrganizationBreakdown, { query: { period: 'today', limit: 1 } });
    expect(breakdown).toMatchObject({
      period: 'today',
      limit: 1,
      by_day: [{ day: breakdown.to }],
      totals: { days: 1 },
    });
    expect(breakdown.by_model).toEqual([
      {
        model: 'dear-1',
        total_cost: 900,
        total_tokens: 15,
        request_count: 1,
        share_percent: Math.round((900 / breakdown.total_cost) * 10_000) / 100,
      },
    ]);
    expect(breakdown.by_user_group).toMatchObject([{ user_group_id: group.id, total_cost: 1_000, request_count: 2 }]);
    expect(breakdown.by_api_key).toMatchObject([{ api_key_id: key.id, api_key_name: key.name, total_cost: 1_000 }]);
    expect(breakdown.by_proxy).toMatchObject([{ proxy_id: proxyId, proxy_name: 'llm' }]);
    expect(breakdown.totals.models).toBeGreaterThan(1);

    const all = await management.admin.data(getOrganizationBreakdown, { query: { period: 'today', limit: 1_000 } });
    expect(all.by_user_group).toContainEqual(expect.objectContaining({ user_group_id: null, user_group_name: null }));
    const sum = all.by_user_group.reduce((total, { total_cost: cost }) => total + cost, 0);
    expect(sum).toBeCloseTo(all.total_cost, 6);
    const past = await management.admin.data(getOrganizationBreakdown, { query: { period: 'last_month' } });
    expect(past).toMatchObject({ total_cost: 9, request_count: 1 });
    expect(await management.admin.refusal(getOrganizationBreakdown, { query: { period: 'ever' } })).toMatchObject({
      status: 400,
      problems: [{ path: '/query/period', rule: expect.stringContaining('this_month') }],
    });
  });

  test('all levels are reset at once', async () => {
    const { group, key, spend } = await createGroup({ monthly_budget: 1 });
    await spend(5 * usd);
    const resets = await management.admin.data(resetAllBudgets);
    expect(resets).toMatchObject({ organization: 1 });
    expect(resets.user_groups).toBeGreaterThan(1);
    expect(resets.users).toBeGreaterThan(1);
    expect(await statusOf(group)).toMatchObject({ current_month_spending: 0 });
    expect(await management.admin.data(getUserBudgetStatus, { params: key })).toMatchObject({
      current_month_spending: 0,
    });
    expect(await management.admin.data(getOrganizationBudgetStatus)).toMatchObject({ current_month_spending: 0 });
    expect((await auditOf('budget.reset'))[0]).toMatchObject({ resource_id: 'all', details: { organization: 1 } });
  });

  test('are read by viewers, changed by admins, and 404 for unknown subjects', async () => {
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    const operator = management.anonymous.as(await management.signIn('operator'));
    expect(await viewer.status(getOrganizationBudgetStatus)).toBe(200);
    for (const route of [resetOrganizationBudget, resetAllBudgets]) expect(await operator.status(route)).toBe(403);
    expect(await operator.status(updateOrganizationBudget, { body: {} })).toBe(403);
    for (const route of [resetGroupBudget, resetUserBudget]) {
      expect(await operator.status(route, { params: { id: 1 } })).toBe(403);
      expect(await management.admin.status(route, { params: unknown })).toBe(404);
    }
    for (const route of [getGroupBudgetStatus, getUserGroupBudgetStatus, getUserBudgetStatus, getProxyBudgetStatus]) {
      expect(await viewer.status(route, { params: unknown })).toBe(404);
      expect(await viewer.status(route, { params: { id: 'x' } })).toBe(400);
    }
  });
});
