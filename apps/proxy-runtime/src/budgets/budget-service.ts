import type { Balance } from '@portcullis/core/budget/account';
import type { Accounts, ReserveAnswer } from '@portcullis/platform/coordination/coordination';
import type { Exchange } from '../exchange/exchange.ts';
import { findAccounts, judgeAccount, renderClaim, type BudgetAccount } from '../snapshot/budget-account.ts';
import type { ExchangeBudget, HeldAmount } from '../exchange/exchange-budget.ts';
import { LocalQuota } from './local-quota.ts';
import { ProcessCount } from './process-count.ts';
import type { SpendingSums } from './spending-sums.ts';

export interface BudgetServiceParts {
  readonly accounts: Accounts;
  /** Accounts of this process, for while the shared ones are out of reach. */
  readonly localAccounts: Accounts;
  /** What the database knew to be spent when it was last asked. */
  readonly sums: SpendingSums;
  /** Tells how much time passes, however the clock is set. */
  readonly elapsedMs?: () => number;
}

/** Accounts whose spending is remembered. */
const maxRemembered = 20_000;
/** Accounts that are looked at again between exchanges. */
const maxWatched = 100;

const nothing: Balance = Object.freeze({ spent: 0, held: 0 });

/**
 * Holds and settles what exchanges cost. What was spent is known from three places: the accounts, their last
 * answer, and the sums of the usage records. Each only ever grows within an account and none counts what
 * another has not seen yet, so the largest is the nearest to the truth, and an account that was lost is raised
 * to it: nothing is counted twice, however often a record or a command is tried again.
 */
export class BudgetService {
  readonly #parts: BudgetServiceParts;
  readonly #known = new Map<string, { spent: number; held: number }>();
  /** Those that exchanges spent from since the last look. */
  readonly #watched = new Map<string, BudgetAccount>();
  readonly #lone = new LocalQuota();
  readonly #sharers = new ProcessCount();
  readonly #elapsedMs: () => number;
  #away = false;

  constructor(parts: BudgetServiceParts) {
    this.#parts = parts;
    this.#elapsedMs = parts.elapsedMs ?? (() => performance.now());
  }

  /** Undefined when no budget pays for the exchange. */
  open(exchange: Exchange): ExchangeBudget | undefined {
    const accounts = findAccounts(exchange);
    if (accounts.length === 0) return undefined;
    const spent = accounts.map((account) => this.#knownSpent(account));
    return { accounts, spent, certain: !this.#away, estimate: 0, refusedBy: undefined, held: undefined };
  }

  /** Holds the estimate; `refusedBy` tells afterwards whether there was room for it. */
  reserve(budget: ExchangeBudget, estimate: number): void | Promise<void> {
    budget.estimate = estimate;
    const claims = budget.accounts.map((account) => this.#claim(account));
    const take = (answer: ReserveAnswer): void => {
      this.#away = false;
      budget.certain = true;
      budget.accounts.forEach((account, at) => this.#hear(account, answer.balances[at] ?? nothing));
      this.#take(budget, answer, false);
    };
    const answer = this.#parts.accounts.reserve(claims, estimate);
    if (!(answer instanceof Promise)) return take(answer);
    return answer.then(take, () => this.#reserveAlone(budget, estimate));
  }

  /** Turns what was held into what it cost, 0 when nothing came of it. Never rejects. */
  settle(held: HeldAmount, cost: number): void | Promise<void> {
    const { accounts, localAccounts } = this.#parts;
    const { reservation, keys, local } = held;
    if (local) void localAccounts.settle(reservation, cost);
    const spent = accounts.settle(local ? { ...reservation, keys, amount: 0 } : reservation, cost);
    return spent instanceof Promise ? this.#hearSpent(held, cost, spent) : this.#rememberSpent(keys, spent);
  }

  async #hearSpent({ reservation, keys, local }: HeldAmount, cost: number, spent: Promise<readonly number[]>) {
    try {
      this.#rememberSpent(keys, await spent);
    } catch {
      this.#noteAway();
      const localKeys = this.#lone.spend(keys, cost);
      if (!local) await this.#parts.localAccounts.settle({ ...reservation, keys: localKeys, amount: 0 }, cost);
    }
  }

  /** Has the shared accounts know what the usage records say of these, and hears what others know. Never rejects. */
  async learn(accounts: readonly BudgetAccount[]): Promise<void> {
    for (const account of accounts.slice(0, maxWatched)) this.#watched.set(account.key, account);
    await this.look();
  }

  /** Looks how many share the accounts, and what was spent from those in use. Never rejects. */
  async look(): Promise<void> {
    const watched = [...this.#watched.values()];
    this.#watched.clear();
    try {
      this.#sharers.hear(await this.#parts.accounts.share(), this.#elapsedMs());
      if (watched.length === 0) return;
      const claims = watched.map((account) => ({ ...renderClaim(account, this.#knownSpent(account)), limit: 0 }));
      const { balances } = await this.#parts.accounts.reserve(claims, 0);
      watched.forEach((account, at) => this.#hear(account, balances[at] ?? nothing));
    } catch {
      this.#sharers.storeIsAway(this.#elapsedMs());
      // What was known last still counts, and they are looked at when the store is back.
      for (const account of watched) this.#watched.set(account.key, account);
    }
  }

  #claim(account: BudgetAccount) {
    if (this.#watched.size < maxWatched) this.#watched.set(account.key, account);
    const claim = renderClaim(account, this.#knownSpent(account));
    const spentLocally = this.#lone.spentLocally(account.key);
    return spentLocally === 0 ? claim : { ...claim, limit: claim.limit - spentLocally };
  }

  async #reserveAlone(budget: ExchangeBudget, estimate: number): Promise<void> {
    this.#noteAway();
    budget.certain = false;
    const claims = budget.accounts.map((account) => {
      const known = { held: this.#known.get(account.key)?.held ?? 0, spent: this.#knownSpent(account) };
      return this.#lone.claim(renderClaim(account, 0), known, this.#sharers.value);
    });
    this.#take(budget, await this.#parts.localAccounts.reserve(claims, estimate), true);
  }

  #noteAway(): void {
    this.#away = true;
    this.#sharers.storeIsAway(this.#elapsedMs());
  }

  #take(budget: ExchangeBudget, { reservation, balances }: ReserveAnswer, local: boolean): void {
    budget.spent = balances.map(({ spent }) => spent);
    if (reservation !== undefined) {
      const keys = local ? budget.accounts.map(({ key }) => key) : reservation.keys;
      budget.held = { reservation, keys, local };
    } else budget.refusedBy = findFull(budget, balances);
  }

  #knownSpent(account: BudgetAccount): number {
    return Math.max(this.#known.get(account.key)?.spent ?? 0, this.#parts.sums.spentSince(account));
  }

  /** The shared account has answered. */
  #hear(account: BudgetAccount, { spent, held }: Balance): void {
    this.#remember(account.key, spent, held);
    const spentLocally = this.#lone.rejoin(account.key);
    if (spentLocally > 0) void this.#handOver(account, spentLocally);
  }

  /**
   * Holds what was spent alone in the shared account, until the usage records have raised that to it. Added to
   * what is spent it might count twice: others may have read it out of the records already.
   */
  async #handOver(account: BudgetAccount, amount: number): Promise<void> {
    const { accounts, sums } = this.#parts;
    const { key } = account;
    const raise = (limit: number) => ({ key, limit, atLeastSpent: this.#knownSpent(account) });
    try {
      const { reservation, balances } = await accounts.reserve([raise(Number.MAX_SAFE_INTEGER)], amount);
      const { spent, held } = balances[0] ?? nothing;
      this.#lone.handedOver(key, amount);
      this.#remember(key, spent, held + amount);
      await sums.caughtUp();
      await accounts.reserve([raise(0)], 0);
      if (reservation !== undefined) await accounts.settle(reservation, 0);
    } catch {
      // What is held lapses by itself; what was not told is told with the next answer.
      this.#lone.handedOver(key, 0);
    }
  }

  #rememberSpent(keys: readonly string[], spent: readonly number[]): void {
    for (const [at, key] of keys.entries()) this.#remember(key, spent[at] ?? 0);
  }

  #remember(key: string, spent: number, held?: number): void {
    const before = this.#known.get(key);
    if (before === undefined) {
      if (this.#known.size >= maxRemembered) this.#known.clear();
      this.#known.set(key, { spent, held: held ?? 0 });
      return;
    }
    before.spent = Math.max(spent, before.spent);
    before.held = held ?? before.held;
  }
}

/** The first account without room; what is held counts as spent here. */
const findFull = ({ accounts }: ExchangeBudget, balances: ReserveAnswer['balances']): BudgetAccount | undefined =>
  accounts.find((account, index) => {
    const { spent, held } = balances[index] ?? nothing;
    return judgeAccount(account, spent + held) === 'block';
  }) ?? accounts[0];
