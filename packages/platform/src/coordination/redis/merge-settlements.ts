import type { Accounts } from '../coordination.ts';

type Settle = (...held: Parameters<Accounts['settle']>) => Promise<readonly number[]>;

/** How long what was spent waits for more from the same accounts: as if its exchange had taken so much longer. */
const gatherMs = 5;

interface Sum {
  amount: number;
  spent: number;
  readonly settled: ReturnType<Settle>;
}

/** Settles what the same accounts held in the same slot together: sums are sums, however many made them. */
export function mergeSettlements(settle: Settle): Settle {
  const waiting = new Map<string, Sum>();

  const begin = (name: string, keys: readonly string[], slot: number): Sum => {
    const { promise: settled, resolve } = Promise.withResolvers<Awaited<ReturnType<Settle>>>();
    const sum: Sum = { amount: 0, spent: 0, settled };
    waiting.set(name, sum);
    setTimeout(() => {
      waiting.delete(name);
      resolve(settle({ keys, slot, amount: sum.amount }, sum.spent));
    }, gatherMs);
    return sum;
  };

  return ({ keys, slot, amount }, spent) => {
    const name = `${slot} ${keys.join(' ')}`;
    const sum = waiting.get(name) ?? begin(name, keys, slot);
    sum.amount += amount;
    sum.spent += spent;
    return sum.settled;
  };
}
