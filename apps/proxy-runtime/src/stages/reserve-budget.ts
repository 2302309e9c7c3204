import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { BudgetService } from '../budgets/budget-service.ts';
import type { CostEstimator } from '../budgets/cost-estimator.ts';
import { spentOf, type ExchangeBudget } from '../exchange/exchange-budget.ts';
import { renderLocalQuotaMessage, renderSpentMessage } from '../budgets/render-refusal.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { PriceList } from '../usage/price-list.ts';

export interface ReserveBudgetParts {
  readonly service: Pick<BudgetService, 'open' | 'reserve' | 'settle'>;
  readonly costs: CostEstimator;
  readonly prices: PriceList;
}

const judge = (budget: ExchangeBudget): Verdict => {
  const { refusedBy, certain } = budget;
  if (refusedBy === undefined) return next;
  const message = certain
    ? renderSpentMessage(refusedBy, spentOf(budget, refusedBy))
    : renderLocalQuotaMessage(refusedBy);
  return deny('budget_exceeded', { message });
};

/**
 * Holds what the exchange may cost in every budget that pays for it, as the last thing before it is forwarded:
 * what else refuses it then costs nothing. It passes where less than the budget is spent and held, so what
 * overshoots a budget is never more than what was under way.
 */
export const createReserveBudget = ({ service, costs, prices }: ReserveBudgetParts): RequestStage<Exchange> => ({
  name: 'reserve-budget',
  run(exchange) {
    const { budget, model, proxy, dialect, snapshot } = exchange;
    if (budget === undefined) return next;
    const place = { model: model ?? 'unknown', origin: proxy.target.origin, provider: dialect.provider };
    const price = model === undefined ? undefined : prices.find(place, snapshot.pricing.overrides);
    if (price === undefined && model !== undefined && snapshot.pricing.blocksUnknown) return deny('model_unpriced');
    const reserved = service.reserve(budget, price === undefined ? 0 : costs.estimate(exchange, price));
    const decide = (): Verdict =>
      !budget.certain && proxy.denyWithoutStore ? deny('service_unavailable') : judge(budget);
    return reserved instanceof Promise ? reserved.then(decide) : decide();
  },
});
