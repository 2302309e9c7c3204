import { resetKey } from './budget-account.ts';
import type { SpendingRule } from './spending-rule.ts';
import type { BudgetEntries } from './snapshot.ts';
import type { BudgetResetRow, BudgetRow } from './snapshot-sources.ts';

export const compileBudget = (row: BudgetRow): SpendingRule | undefined =>
  row.monthly_budget_micro_usd === null
    ? undefined
    : {
        budgetMicroUsd: row.monthly_budget_micro_usd,
        warningThreshold: row.budget_warning_threshold,
        blockAtThreshold: row.block_at_threshold,
      };

export const compileBudgets = (rows: readonly BudgetRow[], resets: readonly BudgetResetRow[]): BudgetEntries => ({
  organization: rows[0] && compileBudget(rows[0]),
  resets: new Map(
    resets.map(({ id, level, subject_id: subject, month, spent_micro_usd: spentMicroUsd }) => [
      resetKey(level === 'organization' ? 'organization' : 'user_group', subject, month),
      { id, spentMicroUsd },
    ]),
  ),
});
