import type {
  GroupBudgetStatus,
  OrganizationBudgetStatus,
  ProxyBudgetStatus,
  UserBudgetStatus,
} from '@portcullis/contracts/routes/budgets';
import { budgetMonth, type BudgetMonth } from '@portcullis/core/budget/budget-month';
import { assessBudget, type BudgetRule } from '@portcullis/core/budget/budget-status';
import { renderUsd } from '@portcullis/core/budget/usd';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { findProxyOrThrow } from '../proxies/proxy-problems.ts';
import { findUserGroup } from '../user-groups/user-group-queries.ts';
import { unknownUserGroup } from '../user-groups/user-group-routes.ts';
import { raiseKey, sumRaises } from './raise-queries.ts';
import { loadOrganizationBudget, loadSpending, organization, type Spending } from './spending-queries.ts';

/** For those that spend and have no budget of their own: all proxies, and most keys. */
const noBudget: BudgetRule = { budgetMicroUsd: null, warningThreshold: 0.8 };

/** The budget and the threshold as a row of the database has them. */
export const ruleOf = (row: {
  readonly monthly_budget_micro_usd: number | null;
  readonly budget_warning_threshold: number;
}): BudgetRule => ({ budgetMicroUsd: row.monthly_budget_micro_usd, warningThreshold: row.budget_warning_threshold });

/** The rule with what the budget is raised by now. */
export async function withRaises(
  database: Queryable,
  rule: BudgetRule,
  { level, id }: { readonly level: 'organization' | 'user_group' | 'api_key'; readonly id: number },
  now: Date,
): Promise<BudgetRule> {
  if (rule.budgetMicroUsd === null) return rule;
  const raise = (await sumRaises(database, now)).get(raiseKey(level, id, 'month'));
  return { ...rule, budgetMicroUsd: rule.budgetMicroUsd + (raise?.amountMicroUsd ?? 0) };
}

export async function loadGroupStatus(database: Queryable, id: number, now: Date): Promise<GroupBudgetStatus> {
  const group = await findUserGroup(database, id);
  if (group === undefined) throw unknownUserGroup(id);
  const spending = await loadSpending(database, { level: 'user_group', id }, budgetMonth(now));
  const rule = await withRaises(database, ruleOf(group), { level: 'user_group', id }, now);
  return { user_group_id: id, ...renderFigures(rule, spending) };
}

export async function loadOrganizationStatus(database: Queryable, now: Date): Promise<OrganizationBudgetStatus> {
  const month = budgetMonth(now);
  const budget = await loadOrganizationBudget(database);
  const spending = await loadSpending(database, organization, month);
  return {
    ...renderFigures(await withRaises(database, ruleOf(budget), organization, now), spending),
    block_at_threshold: budget.block_at_threshold,
    ...renderMonth(month, spending),
  };
}

/** A user is who calls the proxies: an API key. */
export async function loadUserStatus(database: Queryable, id: number, now: Date): Promise<UserBudgetStatus> {
  const key = await database.kysely
    .selectFrom('api_keys')
    .select(['name', 'user_group_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (key === undefined) throw new GatewayError('not_found', { message: `There is no API key ${id}` });
  const month = budgetMonth(now);
  const spending = await loadSpending(database, { level: 'user', id }, month);
  const rule = await withRaises(database, await loadKeyRule(database, id), { level: 'api_key', id }, now);
  return {
    user_id: id,
    user_type: 'apikey',
    user_name: key.name,
    user_group_id: key.user_group_id,
    ...renderFigures(rule, spending),
    ...renderMonth(month, spending),
  };
}

async function loadKeyRule({ kysely }: Queryable, id: number): Promise<BudgetRule> {
  const row = await kysely
    .selectFrom('budgets')
    .select(['amount_micro_usd', 'warning_threshold'])
    .where('api_key_id', '=', id)
    .where('period', '=', 'month')
    .executeTakeFirst();
  return row === undefined
    ? noBudget
    : { budgetMicroUsd: row.amount_micro_usd, warningThreshold: row.warning_threshold };
}

export async function loadProxyStatus(database: Queryable, id: number, now: Date): Promise<ProxyBudgetStatus> {
  const proxy = await findProxyOrThrow(database, id);
  const month = budgetMonth(now);
  const spending = await loadSpending(database, { level: 'proxy', id }, month);
  return {
    proxy_id: id,
    proxy_name: proxy.name,
    ...renderFigures(noBudget, spending),
    ...renderMonth(month, spending),
  };
}

function renderFigures(rule: BudgetRule, { spentMicroUsd }: Spending) {
  const state = assessBudget(rule, spentMicroUsd);
  return {
    monthly_budget: rule.budgetMicroUsd === null ? null : renderUsd(rule.budgetMicroUsd),
    current_month_spending: renderUsd(spentMicroUsd),
    budget_remaining: state.remainingMicroUsd === null ? null : renderUsd(state.remainingMicroUsd),
    budget_utilization_percent: state.utilizationPercent,
    is_exceeded: state.isExceeded,
    is_warning_threshold: state.isWarningThreshold,
    warning_threshold: rule.warningThreshold,
  };
}

const renderMonth = ({ name, end }: BudgetMonth, { lastResetAt }: Spending) => ({
  month: name,
  reset_date: end.toISOString(),
  last_reset_at: lastResetAt?.toISOString() ?? null,
});
