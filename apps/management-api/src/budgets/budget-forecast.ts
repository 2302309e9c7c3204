import type { Forecast } from '@portcullis/contracts/routes/budgets';
import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { forecastSpending } from '@portcullis/core/budget/forecast';
import { renderUsd } from '@portcullis/core/budget/usd';
import type { Queryable } from '@portcullis/platform/database/database';
import { ruleOf, withRaises } from './budget-status.ts';
import { loadOrganizationBudget, loadSpending, organization } from './spending-queries.ts';

/** The forecast for the whole organization. */
export async function loadForecast(database: Queryable, now: Date): Promise<Forecast> {
  const month = budgetMonth(now);
  const rule = await withRaises(database, ruleOf(await loadOrganizationBudget(database)), organization, now);
  const { spentMicroUsd, lastResetAt } = await loadSpending(database, organization, month);
  const forecast = forecastSpending({
    ...rule,
    now,
    since: lastResetAt ?? month.start,
    monthEnd: month.end,
    spentMicroUsd,
  });
  return {
    current_usage: renderUsd(spentMicroUsd),
    budget_limit: rule.budgetMicroUsd === null ? null : renderUsd(rule.budgetMicroUsd),
    days_remaining: forecast.daysRemaining,
    projected_total: renderUsd(forecast.projectedTotalMicroUsd),
    projected_overrun: forecast.projectedOverrunMicroUsd === null ? null : renderUsd(forecast.projectedOverrunMicroUsd),
    projected_exhaustion_date: forecast.exhaustion?.toISOString().slice(0, 10) ?? null,
    daily_average: renderUsd(forecast.dailyAverageMicroUsd),
    recommendations: [...forecast.recommendations],
  };
}
