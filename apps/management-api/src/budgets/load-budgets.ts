import type { Budget, BudgetLevel, BudgetPeriod } from '@portcullis/contracts/routes/budget-list';
import { budgetMonth, dayOf } from '@portcullis/core/budget/budget-month';
import { assessBudget, decideBudget, type BudgetVerdict } from '@portcullis/core/budget/budget-status';
import { forecastDay } from '@portcullis/core/budget/forecast-day';
import { forecastSpending } from '@portcullis/core/budget/forecast';
import { renderUsd } from '@portcullis/core/budget/usd';
import { loadSpendingOfMonth } from '@portcullis/platform/budgets/load-spending';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
import { raiseKey, sumRaises, type SummedRaises } from './raise-queries.ts';

/** A budget and what was spent of it. Money is micro-USD. */
export interface LoadedBudget {
  readonly level: BudgetLevel;
  /** 0 for the organization. */
  readonly id: number;
  readonly name: string;
  readonly period: BudgetPeriod;
  /** With what it is raised by. */
  readonly budgetMicroUsd: number;
  readonly raisedMicroUsd: number;
  readonly raisedUntil: Date | null;
  readonly warningThreshold: number;
  readonly blockAtThreshold: boolean;
  readonly spentMicroUsd: number;
  /** Since when its spending counts. */
  readonly since: Date;
  /** When spending begins anew. */
  readonly end: Date;
}

interface BudgetRow {
  readonly level: BudgetLevel;
  readonly id: number;
  readonly name: string;
  readonly period: BudgetPeriod;
  readonly amount: number;
  readonly threshold: number;
  readonly blocks: boolean;
}

const budgetRows = sql<BudgetRow>`
  select 'organization' as level, 0 as id, 'organization' as name, 'month' as period, monthly_budget_micro_usd as amount,
    budget_warning_threshold as threshold, block_at_threshold as blocks
  from organization_budget where monthly_budget_micro_usd is not null
  union all
  select 'user_group', id, name, 'month', monthly_budget_micro_usd, budget_warning_threshold, block_at_threshold
  from user_groups where monthly_budget_micro_usd is not null
  union all
  select case when api_key_id is null then 'user' else 'api_key' end, coalesce(api_key_id, budgets.user_id),
    coalesce(api_keys.name, username), period, amount_micro_usd, warning_threshold, block_at_threshold
  from budgets left join api_keys on api_keys.id = api_key_id left join users on users.id = budgets.user_id`;

/** All budgets there are, in no order. */
export async function loadBudgets(database: Queryable, now: Date): Promise<readonly LoadedBudget[]> {
  const { rows } = await budgetRows.execute(database.kysely);
  if (rows.length === 0) return [];
  const spent = await loadSpent(database, now);
  const raises = await sumRaises(database, now);
  return rows.map((row) => placeBudget(row, now, { spent, raises }));
}

interface Spent {
  /** By level, id and period: what was spent, and since when that counts where it was reset. */
  readonly sums: ReadonlyMap<string, number>;
  readonly resets: ReadonlyMap<string, { readonly spent: number; readonly at: Date }>;
}

const keyOf = (level: string, id: number, period: BudgetPeriod): string => `${level}:${id}:${period}`;

async function loadSpent(database: Queryable, now: Date): Promise<Spent> {
  const { month, total, byGroup, byKey = [], byUser = [] } = await loadSpendingOfMonth(database, now);
  const sums = new Map([[keyOf('organization', 0, 'month'), total]]);
  for (const [id, spent] of byGroup) sums.set(keyOf('user_group', id, 'month'), spent);
  for (const [level, subjects] of [['api_key', byKey] as const, ['user', byUser] as const]) {
    for (const [id, inMonth, onDay] of subjects) {
      sums.set(keyOf(level, id, 'month'), inMonth).set(keyOf(level, id, 'day'), onDay);
    }
  }
  const resets = await database.kysely
    .selectFrom('budget_resets')
    .distinctOn(['level', 'subject_id'])
    .select(['level', 'subject_id', 'spent_micro_usd', 'reset_at'])
    .where('month', '=', month)
    .orderBy('level')
    .orderBy('subject_id')
    .orderBy('id', 'desc')
    .execute();
  return {
    sums,
    resets: new Map(
      resets.map((row) => [
        // Resets call a key a user, as their routes do.
        keyOf(row.level === 'user' ? 'api_key' : row.level, row.subject_id, 'month'),
        { spent: row.spent_micro_usd, at: row.reset_at },
      ]),
    ),
  };
}

function placeBudget(
  row: BudgetRow,
  now: Date,
  { spent: { sums, resets }, raises }: { readonly spent: Spent; readonly raises: SummedRaises },
): LoadedBudget {
  const { level, id, name, period, amount, threshold, blocks } = row;
  const key = keyOf(level, id, period);
  const reset = resets.get(key);
  const raise = raises.get(raiseKey(level, id, period));
  const { start, end } = period === 'month' ? budgetMonth(now) : dayBounds(now);
  return {
    level,
    id,
    name,
    period,
    budgetMicroUsd: amount + (raise?.amountMicroUsd ?? 0),
    raisedMicroUsd: raise?.amountMicroUsd ?? 0,
    raisedUntil: raise?.firstEnd ?? null,
    warningThreshold: threshold,
    blockAtThreshold: blocks,
    spentMicroUsd: Math.max(0, (sums.get(key) ?? 0) - (reset?.spent ?? 0)),
    since: reset?.at ?? start,
    end,
  };
}

const dayMs = 86_400_000;

function dayBounds(now: Date) {
  const start = new Date(dayOf(now));
  return { start, end: new Date(start.getTime() + dayMs) };
}

/** Beyond 1 where more than the budget was spent. */
export const shareOf = ({ spentMicroUsd, budgetMicroUsd }: LoadedBudget): number =>
  budgetMicroUsd === 0 ? 1 : spentMicroUsd / budgetMicroUsd;

const states: Readonly<Record<BudgetVerdict, Budget['state']>> = { pass: 'ok', warn: 'warning', block: 'blocked' };

export function renderBudget(budget: LoadedBudget, now: Date): Budget {
  const { level, id, name, period, spentMicroUsd, budgetMicroUsd, since, end } = budget;
  const { remainingMicroUsd, utilizationPercent } = assessBudget(budget, spentMicroUsd);
  const forecast =
    period === 'day'
      ? forecastDay(now, spentMicroUsd, budgetMicroUsd)
      : forecastSpending({ ...budget, now, since, monthEnd: end });
  return {
    level,
    id: level === 'organization' ? null : id,
    name,
    period,
    limit: renderUsd(budgetMicroUsd),
    raised_by: renderUsd(budget.raisedMicroUsd),
    raised_until: budget.raisedUntil?.toISOString() ?? null,
    spent: renderUsd(spentMicroUsd),
    remaining: renderUsd(remainingMicroUsd ?? 0),
    utilization_percent: utilizationPercent,
    state: states[decideBudget(budget, spentMicroUsd)],
    warning_threshold: budget.warningThreshold,
    block_at_threshold: budget.blockAtThreshold,
    begins_anew_at: end.toISOString(),
    forecast: {
      projected_total: renderUsd(forecast.projectedTotalMicroUsd),
      projected_exhaustion: forecast.exhaustion?.toISOString() ?? null,
    },
  };
}
