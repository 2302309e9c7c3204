import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { reportPeriods } from '../report-periods.ts';
import { createRouteList } from '../route.ts';
import { budgetOptions } from './user-groups.ts';

export const routes = createRouteList('Budgets');

const Usd = Type.Number({ minimum: 0, description: 'USD' });
const Day = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  'x-allowed': 'a day such as 2026-01-31',
  description: 'UTC day',
});

const figures = {
  monthly_budget: Nullable(Usd),
  current_month_spending: Usd,
  budget_remaining: Nullable(Usd),
  budget_utilization_percent: Type.Number({ minimum: 0, maximum: 100 }),
  is_exceeded: Type.Boolean(),
  is_warning_threshold: Type.Boolean(),
  warning_threshold: Type.Number(),
};

const month = {
  month: Type.String({ description: 'UTC month, YYYY-MM' }),
  reset_date: Type.String({ format: 'date-time', description: 'When spending begins anew' }),
  last_reset_at: Nullable(Type.String({ format: 'date-time', description: 'Latest manual reset in this month' })),
};

export const GroupBudgetStatus = Exact({ user_group_id: Id, ...figures }, { title: 'GroupBudgetStatus' });
export type GroupBudgetStatus = Static<typeof GroupBudgetStatus>;

export const OrganizationBudgetStatus = Exact(
  { ...figures, block_at_threshold: Type.Boolean(), ...month },
  { title: 'OrganizationBudgetStatus' },
);
export type OrganizationBudgetStatus = Static<typeof OrganizationBudgetStatus>;

export const UserBudgetStatus = Exact(
  {
    user_id: Id,
    user_type: Type.Literal('apikey'),
    user_name: Type.String({ description: 'Name of the API key' }),
    user_group_id: Id,
    ...figures,
    ...month,
  },
  { title: 'UserBudgetStatus' },
);
export type UserBudgetStatus = Static<typeof UserBudgetStatus>;

export const ProxyBudgetStatus = Exact(
  { proxy_id: Id, proxy_name: Type.String(), ...figures, ...month },
  { title: 'ProxyBudgetStatus' },
);
export type ProxyBudgetStatus = Static<typeof ProxyBudgetStatus>;

export const OrganizationBudgetChange = Exact(optional(budgetOptions));
export type OrganizationBudgetChange = Static<typeof OrganizationBudgetChange>;

export const Forecast = Exact(
  {
    current_usage: Usd,
    budget_limit: Nullable(Usd),
    days_remaining: Type.Integer({ minimum: 0, description: 'Whole days after today until the month ends' }),
    projected_total: Usd,
    projected_overrun: Nullable(Usd),
    projected_exhaustion_date: Nullable(Day),
    daily_average: Usd,
    recommendations: Type.Array(Type.String()),
  },
  { title: 'BudgetForecast' },
);
export type Forecast = Static<typeof Forecast>;

const sums = { total_cost: Usd, total_tokens: Count, request_count: Count };
const share = { ...sums, share_percent: Type.Number({ description: 'Of the cost of the period' }) };
const NullableName = Nullable(Type.String({ description: 'Null when the record is gone' }));

const period = { period: Type.Enum(reportPeriods), from: Day, to: Day };

export const Breakdown = Exact(
  {
    ...period,
    ...sums,
    by_user_group: Type.Array(Exact({ user_group_id: Nullable(Id), user_group_name: NullableName, ...share })),
    by_proxy: Type.Array(Exact({ proxy_id: Id, proxy_name: NullableName, ...share })),
    by_model: Type.Array(Exact({ model: Type.String(), ...share })),
    by_api_key: Type.Array(Exact({ api_key_id: Nullable(Id), api_key_name: NullableName, ...share })),
    by_day: Type.Array(Exact({ day: Day, ...share })),
    limit: Count,
    totals: Exact({ user_groups: Count, proxies: Count, models: Count, api_keys: Count, days: Count }),
  },
  { title: 'BudgetBreakdown' },
);
export type Breakdown = Static<typeof Breakdown>;

const Period = Type.Enum(reportPeriods, { default: 'this_month' });
const breakdownQuery = {
  period: Period,
  limit: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 100,
    description: 'Entries of each list, highest cost first; `totals` says how many there are',
  }),
};

export const getGroupBudgetStatus = routes.define({
  method: 'GET',
  path: '/user-groups/:id/budget-status',
  role: 'viewer',
  summary: 'Show the remaining monthly budget of a user group',
  parts: { params: ById, response: GroupBudgetStatus },
  errors: ['not_found'],
});

export const resetGroupBudget = routes.define({
  method: 'PUT',
  path: '/user-groups/:id/reset-budget',
  role: 'admin',
  summary: 'Reset the spending of a user group this month to zero; the records stay',
  parts: { params: ById, response: GroupBudgetStatus },
  errors: ['not_found'],
  audit: 'usergroup.budget.reset',
});

export const getOrganizationBudgetStatus = routes.define({
  method: 'GET',
  path: '/budgets/organization/status',
  role: 'viewer',
  summary: 'Show the spending of all proxies together this month',
  parts: { response: OrganizationBudgetStatus },
});

export const updateOrganizationBudget = routes.define({
  method: 'PUT',
  path: '/budgets/organization',
  role: 'admin',
  summary: 'Change the given fields of the budget of the whole organization',
  parts: { body: OrganizationBudgetChange, response: OrganizationBudgetStatus },
  audit: 'budget.updated',
});

export const getUserBudgetStatus = routes.define({
  method: 'GET',
  path: '/budgets/users/:id/status',
  role: 'viewer',
  summary: 'Show the spending of an API key this month',
  parts: { params: ById, response: UserBudgetStatus },
  errors: ['not_found'],
});

export const getUserGroupBudgetStatus = routes.define({
  method: 'GET',
  path: '/budgets/user-groups/:id/status',
  role: 'viewer',
  summary: 'The same as /user-groups/{id}/budget-status',
  parts: { params: ById, response: GroupBudgetStatus },
  errors: ['not_found'],
});

export const getProxyBudgetStatus = routes.define({
  method: 'GET',
  path: '/budgets/proxies/:id/status',
  role: 'viewer',
  summary: 'Show the spending through a proxy this month; proxies have no budget of their own',
  parts: { params: ById, response: ProxyBudgetStatus },
  errors: ['not_found'],
});

export const getOrganizationBreakdown = routes.define({
  method: 'GET',
  path: '/budgets/organization/breakdown',
  role: 'viewer',
  summary: 'Break the spending of a period down by user group, proxy, model, API key and day',
  parts: { query: Exact(breakdownQuery), response: Breakdown },
});

export const getOrganizationForecast = routes.define({
  method: 'GET',
  path: '/budgets/organization/forecast',
  role: 'viewer',
  summary: 'Forecast the spending at the end of this month from its pace so far',
  parts: { response: Forecast },
});

export const resetOrganizationBudget = routes.define({
  method: 'POST',
  path: '/budgets/organization/reset',
  role: 'admin',
  summary: 'Reset the spending of the organization this month to zero; the records stay',
  parts: { response: OrganizationBudgetStatus },
  audit: 'budget.reset',
});

export const resetUserBudget = routes.define({
  method: 'POST',
  path: '/budgets/users/:id/reset',
  role: 'admin',
  summary: 'Reset the spending of an API key this month to zero; the records stay',
  parts: { params: ById, response: UserBudgetStatus },
  errors: ['not_found'],
  audit: 'budget.reset',
});

export const resetAllBudgets = routes.define({
  method: 'POST',
  path: '/budgets/reset-all',
  role: 'admin',
  summary: 'Reset the spending of this month to zero on every level; the records stay',
  parts: {
    response: Exact(
      { organization: Count, user_groups: Count, users: Count, reset_at: Timestamp },
      { title: 'BudgetResets' },
    ),
  },
  audit: 'budget.reset',
});

export const reportFormats = ['json', 'csv', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];
const Format = Type.Enum(reportFormats, { default: 'json' });
const reportTypes = ['application/json; charset=utf-8', 'text/csv; charset=utf-8', 'application/pdf'];

export const getSummaryReport = routes.define({
  method: 'GET',
  path: '/budgets/reports/summary',
  role: 'viewer',
  summary: 'Report the budgets, the spending of a period and the forecast, as JSON, CSV or PDF',
  contentType: reportTypes,
  parts: { query: Exact({ period: Period, format: Format }) },
});

export const getBreakdownReport = routes.define({
  method: 'GET',
  path: '/budgets/reports/breakdown',
  role: 'viewer',
  summary: 'Report the breakdown of a period, as JSON, CSV or PDF',
  contentType: reportTypes,
  parts: { query: Exact({ ...breakdownQuery, format: Format }) },
});
