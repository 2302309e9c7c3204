import type { BudgetRule } from '@portcullis/core/budget/budget-status';

/** The rule of an organization or a group that has a budget. */
export interface SpendingRule extends BudgetRule {
  readonly budgetMicroUsd: number;
  readonly blockAtThreshold: boolean;
}
