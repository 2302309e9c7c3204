import {
  createAccount,
  hold,
  readBalance,
  settleHold,
  slotOf,
  type Account,
  type Balance,
} from '@portcullis/core/budget/account';
import type { Accounts, ReserveAnswer } from '../coordination.ts';

const maxAccounts = 20_000;

export interface InProcessAccounts extends Accounts {
  reserve(...claim: Parameters<Accounts['reserve']>): ReserveAnswer;
  settle(...held: Parameters<Accounts['settle']>): readonly number[];
}

/** Accounts in this process, lost with it: each reservation says what is known to have been spent. */
export function createInProcessAccounts(): InProcessAccounts {
  // In the order in which they were opened: the first are the likeliest to belong to a month that is over.
  const accounts = new Map<string, Account>();

  const open = (key: string): Account => {
    const known = accounts.get(key);
    if (known !== undefined) return known;
    const [oldest] = accounts.keys();
    if (accounts.size >= maxAccounts && oldest !== undefined) accounts.delete(oldest);
    const account = createAccount();
    accounts.set(key, account);
    return account;
  };

  return {
    reserve(claims, amount) {
      const slot = slotOf(Date.now());
      const balances: Balance[] = [];
      let full = false;
      for (const { key, limit, atLeastSpent } of claims) {
        const balance = readBalance(open(key), slot, atLeastSpent);
        balances.push(balance);
        full ||= balance.spent + balance.held >= limit;
      }
      if (full) return { reservation: undefined, balances };
      const keys: string[] = [];
      for (const { key } of claims) {
        hold(open(key), slot, amount);
        keys.push(key);
      }
      return { reservation: { keys, slot, amount }, balances };
    },

    settle({ keys, slot, amount }, spent) {
      return keys.map((key) => {
        const account = open(key);
        settleHold(account, slot, amount, spent);
        return account.spent;
      });
    },

    share: () => Promise.resolve(1),
  };
}
