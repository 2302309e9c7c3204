import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { BudgetService } from '../budgets/budget-service.ts';
import type { CostEstimator } from '../budgets/cost-estimator.ts';
import type { Exchange } from '../exchange/exchange.ts';

export interface SettleBudgetParts {
  readonly service: Pick<BudgetService, 'settle'>;
  readonly costs: CostEstimator;
}

/** Turns what was held for an exchange into what it cost; what cost nothing gives it all back. */
export const createSettleBudget = ({ service, costs }: SettleBudgetParts): SettleStage<Exchange> => ({
  name: 'settle-budget',
  run(exchange) {
    const { budget, cost, usage, model } = exchange;
    if (budget?.held === undefined) return;
    const { held } = budget;
    if (usage !== undefined && model !== undefined) costs.learn(model, usage.outputTokens);
    if (cost instanceof Promise) {
      void cost.then((counted) => service.settle(held, counted));
      return;
    }
    // An answer whose head has not left yet tells what the budget is with it.
    budget.spent = budget.spent.map((spent) => spent + cost);
    void service.settle(held, cost);
  },
});
