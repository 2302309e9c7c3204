import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import { spentOf } from '../exchange/exchange-budget.ts';
import { judgeAccount } from '../snapshot/budget-account.ts';
import type { BudgetService } from '../budgets/budget-service.ts';
import { renderSpentMessage } from '../budgets/render-refusal.ts';
import type { Exchange } from '../exchange/exchange.ts';

/**
 * Refuses what a budget is known not to pay for any more. It asks no store: spending only grows until the
 * month ends, so what was known a moment ago still refuses. Whether there is room for this exchange is
 * decided by reserve-budget, once it is known what it asks for. Messages of MCP cost nothing, and are refused
 * all the same: a budget that is spent closes every proxy to its group.
 */
export const createCheckBudget = (service: Pick<BudgetService, 'open'>): RequestStage<Exchange> => ({
  name: 'check-budget',
  run(exchange) {
    const budget = service.open(exchange);
    if (budget === undefined) return next;
    exchange.budget = budget;
    budget.refusedBy = budget.accounts.find((each, at) => judgeAccount(each, budget.spent[at] ?? 0) === 'block');
    return budget.refusedBy === undefined
      ? next
      : deny('budget_exceeded', { message: renderSpentMessage(budget.refusedBy, spentOf(budget, budget.refusedBy)) });
  },
});
