import { decideBudget, type BudgetVerdict } from '@portcullis/core/budget/budget-status';
import type { Claim } from '@portcullis/core/budget/account';
import type { BudgetEntries, GroupEntry, Snapshot } from './snapshot.ts';
import type { SpendingRule } from './spending-rule.ts';

/** Those who have a budget. */
export type BudgetLevel = 'organization' | 'user_group';

/** A budget in the month of one exchange. */
export interface BudgetAccount {
  readonly level: BudgetLevel;
  /** 0 for the organization. */
  readonly id: number;
  /** YYYY-MM */
  readonly month: string;
  /** A reset begins a new account. */
  readonly key: string;
  readonly rule: SpendingRule;
  /** What the month had cost at its latest reset, 0 without one. */
  readonly resetAtMicroUsd: number;
}

export const resetKey = (level: BudgetLevel, id: number, month: string): string => `${level}:${id}:${month}`;

const none: readonly BudgetAccount[] = Object.freeze([]);

interface KnownAccounts {
  readonly budgets: BudgetEntries;
  readonly month: string;
  readonly accounts: readonly BudgetAccount[];
}

/** Those of each group: the same for all its exchanges, until the configuration or the month is another. */
const known = new WeakMap<GroupEntry, KnownAccounts>();

/** What of an exchange tells who pays for it. */
export interface Payer {
  readonly group: GroupEntry | undefined;
  readonly snapshot: Pick<Snapshot, 'budgets'>;
  /** ISO 8601 UTC. */
  readonly timestamp: string;
}

/** The budgets that pay for an exchange, the group's own first. All of them must have room. */
export function findAccounts({ group, snapshot, timestamp }: Payer): readonly BudgetAccount[] {
  const { budgets } = snapshot;
  if (group?.budget === undefined && budgets.organization === undefined) return none;
  const found = group && known.get(group);
  if (found?.budgets === budgets && timestamp.startsWith(found.month)) return found.accounts;
  const month = timestamp.slice(0, 7);
  const accounts = openAccounts(group, budgets, month);
  if (group !== undefined) known.set(group, { budgets, month, accounts });
  return accounts;
}

function openAccounts(
  group: GroupEntry | undefined,
  { organization, resets }: BudgetEntries,
  month: string,
): readonly BudgetAccount[] {
  const open = (level: BudgetLevel, id: number, rule: SpendingRule | undefined): readonly BudgetAccount[] => {
    if (rule === undefined) return none;
    const name = resetKey(level, id, month);
    const reset = resets.get(name);
    return [{ level, id, month, rule, key: `${name}:${reset?.id ?? 0}`, resetAtMicroUsd: reset?.spentMicroUsd ?? 0 }];
  };
  return [...open('user_group', group?.id ?? 0, group?.budget), ...open('organization', 0, organization)];
}

/** Spending at which nothing more is let through. */
export const limitOf = ({ budgetMicroUsd, warningThreshold, blockAtThreshold }: SpendingRule): number =>
  blockAtThreshold ? Math.min(budgetMicroUsd, budgetMicroUsd * warningThreshold) : budgetMicroUsd;

export const renderClaim = ({ key, rule }: BudgetAccount, atLeastSpent: number): Claim => ({
  key,
  limit: limitOf(rule),
  atLeastSpent,
});

export const judgeAccount = ({ rule }: BudgetAccount, spentMicroUsd: number): BudgetVerdict =>
  decideBudget(rule, spentMicroUsd);
