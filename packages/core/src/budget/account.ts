/**
 * What was spent from a budget, and what is held back for exchanges that are under way. Amounts are integers,
 * micro-USD. Holds are kept by the slot of time in which they were made: those of a process that died lapse
 * with their slot, and their maker need not be known.
 */
export interface Account {
  spent: number;
  readonly held: Map<number, number>;
}

export interface Balance {
  readonly spent: number;
  readonly held: number;
}

export interface Claim {
  /** Names budget, month and reset: spending that begins anew is another account. */
  readonly key: string;
  /** What `spent` and `held` must be below for anything more to be held. */
  readonly limit: number;
  /** What is known from elsewhere to have been spent; an account that knows of less is raised to it. */
  readonly atLeastSpent: number;
}

const slotMs = 600_000;
/** A hold lapses after this many slots: an hour, longer than an exchange may take. */
export const heldSlots = 6;

export const slotOf = (nowMs: number): number => Math.floor(nowMs / slotMs);

export const createAccount = (): Account => ({ spent: 0, held: new Map() });

/** What is there before anything is held, with what has lapsed dropped and what is known raised. */
export function readBalance(account: Account, slot: number, atLeastSpent: number): Balance {
  account.spent = Math.max(account.spent, atLeastSpent);
  let held = 0;
  for (const [madeIn, amount] of account.held) {
    if (madeIn <= slot - heldSlots) account.held.delete(madeIn);
    else held += amount;
  }
  return { spent: account.spent, held };
}

export const hold = (account: Account, slot: number, amount: number): void => {
  account.held.set(slot, (account.held.get(slot) ?? 0) + amount);
};

/** Turns a hold into what was really spent; one that has lapsed takes nothing else with it. */
export function settleHold(account: Account, slot: number, amount: number, spent: number): void {
  account.spent += spent;
  const held = account.held.get(slot);
  if (held !== undefined) account.held.set(slot, Math.max(0, held - amount));
}
