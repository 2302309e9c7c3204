import type { Balance, Claim } from '@portcullis/core/budget/account';

/** What this process may spend of one account while the shared ones are out of reach. */
interface Part {
  /** Name of the account in this process. */
  readonly localKey: string;
  /** What was spent, as far as was known, when the part was made. */
  readonly base: number;
  /** Of that: what only this process knew. */
  readonly spentLocallyBefore: number;
  /** How much more may be spent here. */
  readonly room: number;
  readonly limit: number;
}

interface LocalAccount {
  /** Spent here, and the shared account does not know. */
  spentLocally: number;
  isHandingOver: boolean;
  part: Part | undefined;
}

/** Accounts that are remembered: those of one month, as a rule. */
const maxAccounts = 20_000;

/**
 * Spending of a process that decides on its own. What was left of an account when it was last heard of is
 * split evenly among those who share it: together they spend what was left, and each overshoots its part by no
 * more than what it has under way.
 */
export class LocalQuota {
  readonly #accounts = new Map<string, LocalAccount>();
  #parts = 0;

  /** Spent here, and the shared account does not know of it. */
  spentLocally(key: string): number {
    return this.#accounts.size === 0 ? 0 : (this.#accounts.get(key)?.spentLocally ?? 0);
  }

  /**
   * The claim to make in this process instead of the shared one.
   * @param known of the account when it was last heard of; what was spent may be known better by now
   */
  claim({ key, limit }: Pick<Claim, 'key' | 'limit'>, known: Balance, sharers: number): Claim {
    const account = this.#open(key);
    account.part = renewPart(account, limit, known, sharers) ?? account.part;
    account.part ??= makePart(`${key}:alone ${(this.#parts += 1)}`, account, {
      base: known.spent + account.spentLocally,
      held: known.held,
      limit,
      sharers,
    });
    const { localKey, base, room } = account.part;
    return { key: localKey, limit: base + room, atLeastSpent: base };
  }

  /** Takes note of what the shared accounts could not be told; answers the accounts of this process that count it. */
  spend(keys: readonly string[], cost: number): readonly string[] {
    return keys.flatMap((key) => {
      const account = this.#open(key);
      account.spentLocally += cost;
      return account.part === undefined ? [] : [account.part.localKey];
    });
  }

  /** The shared account answers again. Answers what it is to be told now, 0 for nothing. */
  rejoin(key: string): number {
    const account = this.#accounts.get(key);
    if (account === undefined) return 0;
    account.part = undefined;
    if (account.isHandingOver) return 0;
    if (account.spentLocally === 0) this.#accounts.delete(key);
    else account.isHandingOver = true;
    return account.spentLocally;
  }

  /** @param reported how much of it the shared account knows */
  handedOver(key: string, reported: number): void {
    const account = this.#accounts.get(key);
    if (account === undefined) return;
    account.spentLocally -= reported;
    account.isHandingOver = false;
  }

  #open(key: string): LocalAccount {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size >= maxAccounts && oldest !== undefined) this.#accounts.delete(oldest);
    const account: LocalAccount = { spentLocally: 0, isHandingOver: false, part: undefined };
    this.#accounts.set(key, account);
    return account;
  }
}

interface PartFacts {
  readonly base: number;
  readonly held: number;
  readonly limit: number;
  readonly sharers: number;
}

const makePart = (
  localKey: string,
  { spentLocally }: LocalAccount,
  { base, held, limit, sharers }: PartFacts,
): Part => ({
  localKey,
  base,
  spentLocallyBefore: spentLocally,
  room: Math.max(0, limit - base - held) / Math.max(1, sharers),
  limit,
});

/** Another part where usage records tell more than is known here, or the budget is another; else undefined. */
function renewPart(account: LocalAccount, limit: number, { spent }: Balance, sharers: number): Part | undefined {
  const { part, spentLocally } = account;
  if (part === undefined) return undefined;
  const spentHere = part.base + spentLocally - part.spentLocallyBefore;
  const isKnownBetter = spent > part.base && spent >= spentHere;
  if (!isKnownBetter && part.limit === limit) return undefined;
  return makePart(part.localKey, account, { base: Math.max(spent, spentHere), held: 0, limit, sharers });
}
