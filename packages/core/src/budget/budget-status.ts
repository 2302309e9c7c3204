/** Money is micro-USD throughout. */
export interface BudgetRule {
  /** Per month; null: no budget. */
  readonly budgetMicroUsd: number | null;
  /** Share of the budget, 0-1. */
  readonly warningThreshold: number;
}

export interface BudgetState {
  /** Never below 0; null without a budget. */
  readonly remainingMicroUsd: number | null;
  /** 0-100: what was spent beyond the budget counts no further. */
  readonly utilizationPercent: number;
  readonly isExceeded: boolean;
  readonly isWarningThreshold: boolean;
}

/** To two digits, and never up to a bound that is not reached. A sum of whole micro-USD may come out a hair too low. */
const floorPercent = (percent: number): number => Math.floor(percent * 100 + 1e-6) / 100;

/** What spending this much means. A budget of nothing is exceeded from the start. */
export function assessBudget({ budgetMicroUsd, warningThreshold }: BudgetRule, spentMicroUsd: number): BudgetState {
  if (budgetMicroUsd === null) {
    return { remainingMicroUsd: null, utilizationPercent: 0, isExceeded: false, isWarningThreshold: false };
  }
  const share = budgetMicroUsd === 0 ? 1 : spentMicroUsd / budgetMicroUsd;
  return {
    remainingMicroUsd: Math.max(0, budgetMicroUsd - spentMicroUsd),
    utilizationPercent: Math.min(100, floorPercent(share * 100)),
    isExceeded: share >= 1,
    isWarningThreshold: share >= warningThreshold,
  };
}

export type BudgetVerdict = 'pass' | 'warn' | 'block';

/** What becomes of a request: the whole budget always blocks, the threshold only where it is told to. */
export function decideBudget(
  rule: BudgetRule & { readonly blockAtThreshold: boolean },
  spentMicroUsd: number,
): BudgetVerdict {
  const { isExceeded, isWarningThreshold } = assessBudget(rule, spentMicroUsd);
  if (isExceeded || (isWarningThreshold && rule.blockAtThreshold)) return 'block';
  return isWarningThreshold ? 'warn' : 'pass';
}
