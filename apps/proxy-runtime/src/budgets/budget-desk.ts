import type { Accounts, ReserveAnswer } from '@portcullis/platform/coordination/coordination';
import type { Exchange } from '../exchange.ts';
import { findAccounts, judgeAccount, renderClaim, type BudgetAccount } from './budget-account.ts';
import type { ExchangeBudget, HeldAmount } from './exchange-budget.ts';
import type { SpendingSums } from './spending-sums.ts';

export interface BudgetDeskParts {
  readonly accounts: Accounts;
  /** Accounts of this process, for while the shared ones are out of reach. */
  readonly localAccounts: Accounts;
  /** What the database knew to be spent when it was last asked. */
  readonly sums: SpendingSums;
}

/** Accounts whose spending is remembered. */
const maxRemembered = 20_000;

/**
 * Holds and settles what exchanges cost. What was spent is known from three places: the accounts, their last
 * answer, and the sums of the usage records. Each only ever grows within an account and none counts what
 * another has not seen yet, so the largest is the nearest to the truth, and an account that was lost is raised
 * to it: nothing is counted twice, however often a record or a command is tried again.
 */
export class BudgetDesk {
  readonly #parts: BudgetDeskParts;
  readonly #lastSpent = new Map<string, number>();
  #away = false;

  constructor(parts: BudgetDeskParts) {
    this.#parts = parts;
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
    const claims = budget.accounts.map((account) => renderClaim(account, this.#knownSpent(account)));
    const takeLocal = (answer: ReserveAnswer): void => {
      this.#away = true;
      budget.certain = false;
      this.#take(budget, answer, true);
    };
    const take = (answer: ReserveAnswer): void => {
      this.#away = false;
      budget.certain = true;
      this.#take(budget, answer, false);
    };
    const answer = this.#parts.accounts.reserve(claims, estimate);
    if (!(answer instanceof Promise)) return take(answer);
    return answer.then(take, async () => takeLocal(await this.#parts.localAccounts.reserve(claims, estimate)));
  }

  /** Turns what was held into what it cost, 0 when nothing came of it. Never rejects. */
  async settle({ reservation, local }: HeldAmount, cost: number): Promise<void> {
    const { accounts, localAccounts } = this.#parts;
    if (local) return localAccounts.settle(reservation, cost);
    await accounts.settle(reservation, cost).catch(() => {
      // The usage record raises the shared accounts when they are back; until then this process knows.
      this.#away = true;
      return localAccounts.settle({ ...reservation, amount: 0 }, cost);
    });
  }

  #take(budget: ExchangeBudget, { reservation, balances }: ReserveAnswer, local: boolean): void {
    budget.spent = balances.map(({ spent }) => spent);
    budget.accounts.forEach(({ key }, index) => this.#remember(key, balances[index]?.spent ?? 0));
    if (reservation !== undefined) budget.held = { reservation, local };
    else budget.refusedBy = findFull(budget, balances);
  }

  #knownSpent(account: BudgetAccount): number {
    return Math.max(this.#lastSpent.get(account.key) ?? 0, this.#parts.sums.spentSince(account));
  }

  #remember(key: string, spent: number): void {
    if (this.#lastSpent.size >= maxRemembered && !this.#lastSpent.has(key)) this.#lastSpent.clear();
    this.#lastSpent.set(key, Math.max(spent, this.#lastSpent.get(key) ?? 0));
  }
}

/** The first account without room; what is held counts as spent here. */
const findFull = ({ accounts }: ExchangeBudget, balances: ReserveAnswer['balances']): BudgetAccount | undefined =>
  accounts.find((account, index) => {
    const { spent, held } = balances[index] ?? { spent: 0, held: 0 };
    return judgeAccount(account, spent + held) === 'block';
  }) ?? accounts[0];
