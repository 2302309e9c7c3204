import { assessBudget } from '@portcullis/core/budget/budget-status';
import { renderUsd } from '@portcullis/core/budget/usd';
import type { ExchangeBudget } from '../exchange/exchange-budget.ts';

/**
 * What an answer tells of the budget that pays for it: the one that refused, else the group's own, else the
 * organization's. Nothing where there is none or its figures are not known.
 */
export function renderBudgetHeaders(budget: ExchangeBudget | undefined): Readonly<Record<string, string>> | undefined {
  if (budget?.certain !== true) return undefined;
  const { accounts, spent, refusedBy } = budget;
  const account = refusedBy ?? accounts[0];
  if (account === undefined) return undefined;
  const own = spent[accounts.indexOf(account)] ?? 0;
  const { remainingMicroUsd, utilizationPercent } = assessBudget(account.rule, own);
  const warns = accounts.some(
    ({ rule }, index) => !rule.blockAtThreshold && assessBudget(rule, spent[index] ?? 0).isWarningThreshold,
  );
  return {
    'x-budget-limit': String(renderUsd(account.rule.budgetMicroUsd)),
    'x-budget-used': String(renderUsd(own)),
    'x-budget-remaining': String(renderUsd(remainingMicroUsd ?? 0)),
    'x-budget-utilization': String(utilizationPercent),
    ...(refusedBy === undefined && warns && { 'x-budget-warning': 'true' }),
  };
}
