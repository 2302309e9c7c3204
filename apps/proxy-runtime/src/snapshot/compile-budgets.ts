import { resetKey, ruleKey, type BudgetLevel, type BudgetUnit } from './budget-account.ts';
import type { SpendingRule } from './spending-rule.ts';
import type { BudgetEntries, BudgetRaise } from './snapshot.ts';
import type { BudgetRaiseRow, BudgetResetRow, BudgetRow, SubjectBudgetRow } from './snapshot-sources.ts';

export const compileBudget = (row: BudgetRow): SpendingRule | undefined =>
  row.monthly_budget_micro_usd === null
    ? undefined
    : {
        budgetMicroUsd: row.monthly_budget_micro_usd,
        warningThreshold: row.budget_warning_threshold,
        blockAtThreshold: row.block_at_threshold,
      };

interface BudgetRows {
  readonly organization: readonly BudgetRow[];
  readonly resets: readonly BudgetResetRow[];
  readonly subjects: readonly SubjectBudgetRow[];
  readonly raises: readonly BudgetRaiseRow[];
}

export function compileBudgets({ organization: [organization], resets, subjects, raises }: BudgetRows): BudgetEntries {
  const byRule = Map.groupBy(raises, keyOf);
  return {
    organization: organization && compileBudget(organization),
    resets: new Map(
      resets.map(({ id, level, subject_id: subject, month, spent_micro_usd: spentMicroUsd }) => [
        resetKey(levels[level] ?? 'user_group', subject, month),
        { id, spentMicroUsd },
      ]),
    ),
    rules: subjects.length === 0 ? undefined : new Map(subjects.map((row) => [keyOf(row), compileSubject(row)])),
    raises: byRule.size === 0 ? undefined : new Map([...byRule].map(([name, rows]) => [name, rows.map(compileRaise)])),
  };
}

/** Resets call a key a user, as their routes do. */
const levels: Readonly<Record<string, BudgetLevel>> = { organization: 'organization', user: 'api_key' };

const compileSubject = (row: SubjectBudgetRow): SpendingRule => ({
  budgetMicroUsd: row.amount_micro_usd,
  warningThreshold: row.warning_threshold,
  blockAtThreshold: row.block_at_threshold,
});

const compileRaise = ({ amount_micro_usd: amountMicroUsd, ends_at_ms: endsAtMs }: BudgetRaiseRow): BudgetRaise => ({
  amountMicroUsd,
  endsAt: new Date(endsAtMs).toISOString(),
});

function keyOf(row: SubjectBudgetRow | BudgetRaiseRow): string {
  const unit = row.period as BudgetUnit;
  if (row.api_key_id !== null) return ruleKey('api_key', row.api_key_id, unit);
  if (row.user_id !== null) return ruleKey('user', row.user_id, unit);
  const group = 'user_group_id' in row ? row.user_group_id : null;
  return group === null ? ruleKey('organization', 0, unit) : ruleKey('user_group', group, unit);
}
