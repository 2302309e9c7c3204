import { Type, type Static } from 'typebox';
import { ById, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Budgets');

export const budgetLevels = ['organization', 'user_group', 'api_key', 'user'] as const;
export type BudgetLevel = (typeof budgetLevels)[number];
export const budgetPeriods = ['day', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];
export const budgetStates = ['ok', 'warning', 'blocked'] as const;

const maxUsd = 1_000_000_000;
const Usd = Type.Number({ minimum: 0, description: 'USD' });
const Period = Type.Enum(budgetPeriods, { description: 'UTC' });

const BudgetForecast = Exact({
  projected_total: Usd,
  projected_exhaustion: Nullable({
    ...Timestamp,
    description: 'When it is spent at this pace; null: not in this period',
  }),
});

export const Budget = Exact(
  {
    level: Type.Enum(budgetLevels),
    id: Nullable(Type.Integer({ ...Id, description: 'Of the user group, key or user; null for the organization' })),
    name: Type.String(),
    period: Period,
    limit: Type.Number({ minimum: 0, description: 'USD, with what it is raised by' }),
    raised_by: Usd,
    raised_until: Nullable({ ...Timestamp, description: 'When the first of the raises ends' }),
    spent: Usd,
    remaining: Usd,
    utilization_percent: Type.Number({ minimum: 0, maximum: 100 }),
    state: Type.Enum(budgetStates, { description: 'warning: from the threshold on; blocked: requests are refused' }),
    warning_threshold: Type.Number({ minimum: 0, maximum: 1 }),
    block_at_threshold: Type.Boolean(),
    begins_anew_at: Timestamp,
    forecast: BudgetForecast,
  },
  { title: 'Budget' },
);
export type Budget = Static<typeof Budget>;

const BudgetQuery = Exact({
  ...optional({
    level: Type.Enum(budgetLevels),
    period: Period,
    state: Type.Enum(budgetStates),
    search: Type.String({ maxLength: 200, description: 'Part of the name' }),
  }),
  ...page(100),
});
export type BudgetQuery = Static<typeof BudgetQuery>;

export const listBudgets = routes.define({
  method: 'GET',
  path: '/budgets',
  role: 'viewer',
  summary:
    'List all budgets with what is spent, the forecast and their state, the fullest first. X-Total-Count has their number',
  parts: { query: BudgetQuery, response: Type.Array(Budget) },
});

export const SubjectBudget = Exact({
  amount: Type.Number({ minimum: 0, maximum: maxUsd, description: 'USD for each period' }),
  ...optional({
    warning_threshold: Type.Number({ minimum: 0, maximum: 1, default: 0.8, description: 'Share of the budget' }),
    block_at_threshold: Type.Boolean({ default: false }),
  }),
});
export type SubjectBudget = Static<typeof SubjectBudget>;

const ByPeriod = Exact({ id: Id, period: Period });

export const setKeyBudget = routes.define({
  method: 'PUT',
  path: '/api-keys/:id/budgets/:period',
  role: 'admin',
  summary: 'Set what an API key may spend in a day or a month',
  parts: { params: ByPeriod, body: SubjectBudget, response: Budget },
  errors: ['not_found'],
  audit: 'budget.updated',
});

export const removeKeyBudget = routes.define({
  method: 'DELETE',
  path: '/api-keys/:id/budgets/:period',
  role: 'admin',
  summary: 'Remove the budget of an API key for a day or a month',
  parts: { params: ByPeriod },
  errors: ['not_found'],
  audit: 'budget.updated',
});

export const setUserBudget = routes.define({
  method: 'PUT',
  path: '/auth/users/:id/budgets/:period',
  role: 'admin',
  summary: 'Set what a user may spend in a day or a month, with logins and with the keys that they answer for',
  parts: { params: ByPeriod, body: SubjectBudget, response: Budget },
  errors: ['not_found'],
  audit: 'budget.updated',
});

export const removeUserBudget = routes.define({
  method: 'DELETE',
  path: '/auth/users/:id/budgets/:period',
  role: 'admin',
  summary: 'Remove the budget of a user for a day or a month',
  parts: { params: ByPeriod },
  errors: ['not_found'],
  audit: 'budget.updated',
});

export const BudgetRaise = Exact(
  {
    id: Id,
    level: Type.Enum(budgetLevels),
    subject_id: Nullable(
      Type.Integer({ ...Id, description: 'Of the user group, key or user; null: the organization' }),
    ),
    period: Period,
    amount: Usd,
    ends_at: Timestamp,
    reason: Type.String(),
    created_by: Type.String(),
    created_at: Timestamp,
  },
  { title: 'BudgetRaise' },
);
export type BudgetRaise = Static<typeof BudgetRaise>;

export const BudgetRaiseCreation = Exact({
  level: Type.Enum(budgetLevels),
  amount: Type.Number({ exclusiveMinimum: 0, maximum: maxUsd, description: 'USD more, in each period until the end' }),
  ...optional({
    subject_id: Type.Integer({ ...Id, description: 'Of the user group, key or user; absent for the organization' }),
    period: Type.Enum(budgetPeriods, { default: 'month', description: 'Which of the budgets' }),
    ends_at: { ...Timestamp, maxLength: 40, description: 'At most 366 days from now; absent: the end of this period' },
    reason: Type.String({ maxLength: 2_000 }),
  }),
});
export type BudgetRaiseCreation = Static<typeof BudgetRaiseCreation>;

export const listBudgetRaises = routes.define({
  method: 'GET',
  path: '/budgets/raises',
  role: 'viewer',
  summary: 'List the raises of budgets that have not ended, those that end first first. X-Total-Count has their number',
  parts: { query: Exact(page(100)), response: Type.Array(BudgetRaise) },
});

export const raiseBudget = routes.define({
  method: 'POST',
  path: '/budgets/raises',
  role: 'admin',
  summary: 'Raise a budget until a time, when it ends by itself',
  status: 201,
  parts: { body: BudgetRaiseCreation, response: BudgetRaise },
  errors: ['not_found'],
  audit: 'budget.raised',
});

export const endBudgetRaise = routes.define({
  method: 'DELETE',
  path: '/budgets/raises/:id',
  role: 'admin',
  summary: 'End a raise of a budget now',
  parts: { params: ById, response: BudgetRaise },
  errors: ['not_found'],
  audit: 'budget.updated',
});
