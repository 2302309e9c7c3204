import { Counter, type Registry } from 'prom-client';

/** Combinations of label values told apart. */
const maxChildren = 5_000;

interface Family<Names> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: Names;
}

type Values<Names> = { [Index in keyof Names]: string };

/** Registers a counter and answers the function that counts by label values, in the order of the names. */
export function countByLabels<const Names extends readonly string[]>(
  registry: Registry,
  family: Family<Names>,
): (...values: Values<Names>) => void {
  const add = addByLabels(registry, family);
  return (...values) => add(1, ...values);
}

/**
 * The same for amounts, not below 0, which come before the label values. prom-client finds a child by hashing all its
 * labels each time; here sums are kept, and handed over when somebody reads them.
 */
export function addByLabels<const Names extends readonly string[]>(
  registry: Registry,
  family: Family<Names>,
): (amount: number, ...values: Values<Names>) => void {
  const sums = new Map<string, Sum>();
  const counter: Counter = new Counter({
    registers: [registry],
    ...family,
    collect() {
      counter.reset();
      for (const { values, amount } of sums.values()) counter.labels(...values).inc(amount);
    },
  });
  const open = (values: readonly string[]): Sum => {
    // Names can change for ever; the memory of them must not grow with that.
    const told = sums.size < maxChildren ? values : values.map(() => 'other');
    const sum = sums.get(keyOf(told)) ?? { values: told, amount: 0 };
    sums.set(keyOf(told), sum);
    return sum;
  };
  return (amount, ...values) => {
    const sum = sums.get(keyOf(values)) ?? open(values);
    sum.amount += amount;
  };
}

interface Sum {
  readonly values: readonly string[];
  amount: number;
}

const keyOf = (values: readonly string[]): string => values.join('\n');
