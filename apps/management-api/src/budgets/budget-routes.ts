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
  type OrganizationBudgetChange,
} from '@portcullis/contracts/routes/budgets';
import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { microUsdOf } from '@portcullis/core/budget/usd';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import { loadBreakdown } from './breakdown-queries.ts';
import { budgetListRoutes } from './budget-list-routes.ts';
import { loadForecast } from './budget-forecast.ts';
import { loadGroupStatus, loadOrganizationStatus, loadProxyStatus, loadUserStatus } from './budget-status.ts';
import {
  insertReset,
  organization,
  resetEverybody,
  updateOrganizationBudgetRow,
  type BudgetSubject,
} from './spending-queries.ts';

export const budgetRoutes = (database: Database): BoundRoute[] => [
  ...budgetListRoutes(database),
  ...[getGroupBudgetStatus, getUserGroupBudgetStatus].map((route) =>
    bind(route, async ({ params }) => ({ data: await loadGroupStatus(database, params.id, new Date()) })),
  ),
  bind(getUserBudgetStatus, async ({ params }) => ({ data: await loadUserStatus(database, params.id, new Date()) })),
  bind(getProxyBudgetStatus, async ({ params }) => ({ data: await loadProxyStatus(database, params.id, new Date()) })),
  bind(getOrganizationBudgetStatus, async () => ({ data: await loadOrganizationStatus(database, new Date()) })),
  bind(getOrganizationBreakdown, async ({ query }) => ({
    data: await readConsistent(database, (moment) => loadBreakdown(moment, query, new Date())),
  })),
  bind(getOrganizationForecast, async () => ({ data: await loadForecast(database, new Date()) })),

  bind(updateOrganizationBudget, async (call) => {
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadOrganizationStatus(transaction, new Date());
        await updateOrganizationBudgetRow(transaction, columns(call.body));
        return { before, after: await loadOrganizationStatus(transaction, new Date()) };
      },
      (change) => ({ event: 'budget.updated', resource: budgetResource(organization), ...change }),
    );
    return { data: after, message: 'Budget of the organization saved' };
  }),

  bind(resetGroupBudget, async (call) => {
    const { id } = call.params;
    const data = await reset(database, call, { level: 'user_group', id }, (transaction, now) =>
      loadGroupStatus(transaction, id, now),
    );
    return { data, message: 'Spending counts from zero again' };
  }),

  bind(resetOrganizationBudget, async (call) => {
    const data = await reset(database, call, organization, loadOrganizationStatus);
    return { data, message: 'Spending counts from zero again' };
  }),

  bind(resetUserBudget, async (call) => {
    const { id } = call.params;
    const data = await reset(database, call, { level: 'user', id }, (transaction, now) =>
      loadUserStatus(transaction, id, now),
    );
    return { data, message: 'Spending counts from zero again' };
  }),

  bind(resetAllBudgets, async (call) => {
    const now = new Date();
    const [month, by] = [budgetMonth(now), nameOf(call)];
    const data = await audited(
      database,
      call,
      async (transaction) => {
        await insertReset(transaction, organization, month, by);
        const userGroups = await resetEverybody(transaction, 'user_group', month, by);
        const users = await resetEverybody(transaction, 'user', month, by);
        return { organization: 1, user_groups: userGroups, users, reset_at: now.toISOString() };
      },
      (details) => ({ event: 'budget.reset', resource: { type: 'budget', id: 'all', name: null }, details }),
    );
    return { data, message: 'All spending counts from zero again' };
  }),
];

/** Resets, and tells the status as it was and as it is. @throws {GatewayError} when there is no such subject */
async function reset<Status extends { readonly current_month_spending: number }>(
  database: Database,
  call: AuditedCall,
  subject: BudgetSubject,
  load: (transaction: Queryable, now: Date) => Promise<Status>,
): Promise<Status> {
  const now = new Date();
  const { after } = await audited(
    database,
    call,
    async (transaction) => {
      const before = await load(transaction, now);
      await insertReset(transaction, subject, budgetMonth(now), nameOf(call));
      return { before, after: await load(transaction, now) };
    },
    (change) => ({
      event: subject.level === 'user_group' ? 'usergroup.budget.reset' : 'budget.reset',
      resource: budgetResource(subject),
      ...change,
    }),
  );
  return after;
}

const nameOf = ({ caller }: AuditedCall): string => (caller?.kind === 'user' ? caller.username : '');

const budgetResource = ({ level, id }: BudgetSubject) => ({ type: `${level}_budget`, id, name: null });

const columns = ({ monthly_budget: budget, ...same }: OrganizationBudgetChange) => ({
  ...same,
  ...(budget !== undefined && {
    monthly_budget_micro_usd: budget === null ? null : microUsdOf(budget),
  }),
});
