import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';

/**
 * The place of the monthly budget: after access, so that a stranger learns nothing of it, and before
 * the rate limit, as specified. Spending is not priced yet, so no budget refuses anything.
 */
export const checkBudget: RequestStage<Exchange> = {
  name: 'check-budget',
  on: ['llm'],
  onFault: 'degrade',
  run: () => next,
};
