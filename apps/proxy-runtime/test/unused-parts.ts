import { createInProcessAccounts } from '@portcullis/platform/coordination/in-process/accounts';
import { BudgetService } from '../src/budgets/budget-service.ts';
import { CostEstimator } from '../src/budgets/cost-estimator.ts';
import type { SpendingSums } from '../src/budgets/spending-sums.ts';
import type { PipelineParts } from '../src/pipeline.ts';
import { createPriceList } from '../src/usage/price-list.ts';
import type { TokenCounter } from '../src/metering/token-counter.ts';

/** Counts as the rule of thumb does, in no thread of its own. */
export const roughCounter: TokenCounter = {
  count: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** A database that knows of no usage. */
export const nothingSpent: SpendingSums = { spentSince: () => 0, caughtUp: () => Promise.resolve() };

/** What a pipeline needs that is looked at and never run. */
export function unusedParts(): Pick<PipelineParts, 'guardrails' | 'usage' | 'budgets'> {
  const accounts = createInProcessAccounts();
  const prices = createPriceList({ findLibraryPrice: () => undefined, onUnpriced: () => undefined });
  const appendLate = (): void => undefined;
  return {
    guardrails: { service: { ask: () => Promise.resolve(undefined), watch: () => undefined }, appendLate },
    usage: { prices, counter: roughCounter, appendLate, onUsage: () => undefined },
    budgets: {
      service: new BudgetService({ accounts, localAccounts: accounts, sums: nothingSpent }),
      costs: new CostEstimator(),
      prices,
    },
  };
}
