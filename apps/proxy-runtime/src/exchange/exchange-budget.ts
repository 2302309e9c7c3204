import type { Reservation } from '@portcullis/platform/coordination/coordination';
import type { BudgetAccount } from '../snapshot/budget-account.ts';

/** What an exchange knows of the budgets that pay for it. */
export interface ExchangeBudget {
  readonly accounts: readonly BudgetAccount[];
  /** Of each account in micro-USD, as far as is known. */
  spent: readonly number[];
  /** False while the store is away and this process decides on its own: then no client is told figures. */
  certain: boolean;
  /** What it was taken to cost, micro-USD. */
  estimate: number;
  /** The account that refused it. */
  refusedBy: BudgetAccount | undefined;
  held: HeldAmount | undefined;
}

export interface HeldAmount {
  readonly reservation: Reservation;
  /** The shared accounts that pay. */
  readonly keys: readonly string[];
  /** Whether it is held in this process alone. */
  readonly local: boolean;
}

/** What is spent of one of its accounts, micro-USD. */
export const spentOf = (
  { accounts, spent }: Pick<ExchangeBudget, 'accounts' | 'spent'>,
  account: BudgetAccount,
): number => spent[accounts.indexOf(account)] ?? 0;
