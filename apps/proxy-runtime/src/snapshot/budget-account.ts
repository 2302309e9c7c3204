import { decideBudget, type BudgetVerdict } from '@portcullis/core/budget/budget-status';
import type { Claim } from '@portcullis/core/budget/account';
import type { KeyEntry, UserEntry } from '@portcullis/platform/traffic/traffic-exchange';
import type { BudgetEntries, GroupEntry, Snapshot } from './snapshot.ts';
import type { SpendingRule } from './spending-rule.ts';

/** Those who have a budget. */
export type BudgetLevel = 'organization' | 'user_group' | 'api_key' | 'user';
export type BudgetUnit = 'month' | 'day';

/** A budget in the month or on the day of one exchange. */
export interface BudgetAccount {
  readonly level: BudgetLevel;
  /** 0 for the organization. */
  readonly id: number;
  /** YYYY-MM, or YYYY-MM-DD of a budget for days. */
  readonly period: string;
  /** A reset begins a new account. */
  readonly key: string;
  /** With what it was raised by. */
  readonly rule: SpendingRule;
  /** What the month had cost at its latest reset, 0 without one. */
  readonly resetAtMicroUsd: number;
}

export const resetKey = (level: BudgetLevel, id: number, period: string): string => `${level}:${id}:${period}`;
export const ruleKey = (level: BudgetLevel, id: number, unit: BudgetUnit): string => `${level}:${id}:${unit}`;

const none: readonly BudgetAccount[] = Object.freeze([]);

interface KnownAccounts {
  readonly budgets: BudgetEntries;
  readonly group: GroupEntry | undefined;
  /** YYYY-MM-DD */
  readonly day: string;
  /** ISO 8601 UTC: when the first raise among them ends. */
  readonly until: string;
  readonly accounts: readonly BudgetAccount[];
}

/** Those of each key, or group without one: the same for all its exchanges, until the configuration or the day is another. */
const known = new WeakMap<object, KnownAccounts>();

/** What of an exchange tells who pays for it. */
export interface Payer {
  readonly group: GroupEntry | undefined;
  readonly key?: KeyEntry | undefined;
  readonly user?: Pick<UserEntry, 'id'> | undefined;
  readonly snapshot: Pick<Snapshot, 'budgets'>;
  /** ISO 8601 UTC. */
  readonly timestamp: string;
}

/** The budgets that pay for an exchange, the one of the fewest callers first. All of them must have room. */
export function findAccounts(payer: Payer): readonly BudgetAccount[] {
  const { group, key, user, snapshot, timestamp } = payer;
  const { budgets } = snapshot;
  if (group?.budget === undefined && budgets.organization === undefined && budgets.rules === undefined) return none;
  // A login is another object with each exchange.
  const holder = user === undefined ? (key ?? group) : budgets.rules === undefined ? group : undefined;
  const found = holder && known.get(holder);
  const isSame = found?.budgets === budgets && found.group === group;
  if (isSame && timestamp.startsWith(found.day) && timestamp < found.until) return found.accounts;
  const opened = openAccounts(payer);
  if (holder !== undefined) known.set(holder, { budgets, group, day: timestamp.slice(0, 10), ...opened });
  return opened.accounts;
}

/** Behind every time. */
const never = '9999';

function openAccounts({ group, key, user, snapshot: { budgets }, timestamp }: Payer) {
  const accounts: BudgetAccount[] = [];
  let until = never;
  const open = (level: BudgetLevel, id: number, unit: BudgetUnit, own: SpendingRule | undefined): void => {
    const rule = own ?? budgets.rules?.get(ruleKey(level, id, unit));
    if (rule === undefined) return;
    const raises = budgets.raises?.get(ruleKey(level, id, unit))?.filter(({ endsAt }) => timestamp < endsAt) ?? [];
    for (const { endsAt } of raises) if (endsAt < until) until = endsAt;
    const more = raises.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0);
    const raised = more === 0 ? rule : { ...rule, budgetMicroUsd: rule.budgetMicroUsd + more };
    accounts.push(openAccount(budgets, { level, id, unit, rule: raised }, timestamp));
  };
  const userId = user?.id ?? key?.ownerId;
  for (const unit of ['day', 'month'] as const) if (key !== undefined) open('api_key', key.id, unit, undefined);
  for (const unit of ['day', 'month'] as const) if (userId !== undefined) open('user', userId, unit, undefined);
  if (group?.budget !== undefined) open('user_group', group.id, 'month', group.budget);
  if (budgets.organization !== undefined) open('organization', 0, 'month', budgets.organization);
  return { accounts, until };
}

interface OpenedBudget {
  readonly level: BudgetLevel;
  readonly id: number;
  readonly unit: BudgetUnit;
  readonly rule: SpendingRule;
}

function openAccount(
  budgets: BudgetEntries,
  { level, id, unit, rule }: OpenedBudget,
  timestamp: string,
): BudgetAccount {
  const period = timestamp.slice(0, unit === 'month' ? 7 : 10);
  const name = resetKey(level, id, period);
  const reset = budgets.resets.get(name);
  return { level, id, period, rule, key: `${name}:${reset?.id ?? 0}`, resetAtMicroUsd: reset?.spentMicroUsd ?? 0 };
}

/** The accounts of budgets of keys and users that a configuration before did not have. */
export const findNewRules = (
  before: BudgetEntries,
  after: BudgetEntries,
  timestamp: string,
): readonly BudgetAccount[] =>
  [...(after.rules ?? [])]
    .filter(([name]) => before.rules?.has(name) !== true)
    .map(([name, rule]) => {
      const [level, id, unit] = name.split(':') as [BudgetLevel, string, BudgetUnit];
      return openAccount(after, { level, id: Number(id), unit, rule }, timestamp);
    });

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
