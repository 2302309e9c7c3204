import { setTimeout as wait } from 'node:timers/promises';
import { emptySnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import { findAccounts, findNewRules, type BudgetAccount } from '../snapshot/budget-account.ts';
import type { BudgetService } from './budget-service.ts';
import type { SpoolCatchUp } from './spool-catch-up.ts';

export interface NewBudgetsParts {
  readonly catchUp: Pick<SpoolCatchUp, 'catchUpOnce'>;
  readonly service: Pick<BudgetService, 'learn'>;
  /** Called when what new budgets have spent is known, or cannot be found out in time. */
  readonly onLoaded: () => void;
  readonly now?: () => Date;
}

/** The report of a change waits for so long; while the database is away, nobody can change anything anyway. */
const maxLoadMs = 3_000;

/**
 * A budget is set where money was spent before. What that was is loaded before the change is told to be in force, so that the first
 * request after it is already judged by the whole month.
 */
export class NewBudgets implements Disposable {
  readonly #parts: NewBudgetsParts;
  #before: Snapshot = emptySnapshot;
  #loading: Promise<void> | undefined;
  #ended = false;

  constructor(parts: NewBudgetsParts) {
    this.#parts = parts;
  }

  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  follow(snapshot: Snapshot): void {
    const { now = () => new Date() } = this.#parts;
    const accounts = findNewAccounts(this.#before, snapshot, now().toISOString());
    this.#before = snapshot;
    if (accounts.length === 0) return;
    const loading: Promise<void> = this.#load(accounts).finally(() => {
      if (this.#loading !== loading || this.#ended) return;
      this.#loading = undefined;
      this.#parts.onLoaded();
    });
    this.#loading = loading;
  }

  [Symbol.dispose](): void {
    this.#ended = true;
  }

  #load(accounts: readonly BudgetAccount[]): Promise<void> {
    const { catchUp, service } = this.#parts;
    const load = async (): Promise<void> => {
      await catchUp.catchUpOnce();
      await service.learn(accounts);
    };
    return Promise.race([load().catch(() => undefined), wait(maxLoadMs, undefined, { ref: false })]);
  }
}

/** What pays for exchanges by one configuration and did not by the one before. With the first of a process all is loaded anyway. */
function findNewAccounts(before: Snapshot, after: Snapshot, timestamp: string): readonly BudgetAccount[] {
  if (before === emptySnapshot || (before.groups === after.groups && before.budgets === after.budgets)) return [];
  const found = new Map<string, BudgetAccount>();
  const add = (accounts: readonly BudgetAccount[]): void => {
    for (const account of accounts) found.set(account.key, account);
  };
  const isNew = before.budgets.organization === undefined && after.budgets.organization !== undefined;
  if (isNew) add(findAccounts({ group: undefined, snapshot: after, timestamp }));
  for (const group of after.groups.values()) {
    const known = before.groups.get(group.id);
    if (group.budget === undefined || known === undefined || known.budget !== undefined) continue;
    add(findAccounts({ group, snapshot: after, timestamp }));
  }
  add(findNewRules(before.budgets, after.budgets, timestamp));
  return [...found.values()];
}
