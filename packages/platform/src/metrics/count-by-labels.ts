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
 * The same for amounts, which come before the label values. prom-client hashes all labels to find a child;
 * here each child is kept.
 */
export function addByLabels<const Names extends readonly string[]>(
  registry: Registry,
  family: Family<Names>,
): (amount: number, ...values: Values<Names>) => void {
  const counter = new Counter({ registers: [registry], ...family });
  const children = new Map<string, Counter.Internal>();
  return (amount, ...values) => {
    const key = values.join('\n');
    let child = children.get(key);
    if (child === undefined) {
      // Names can change for ever; the memory of them must not grow with that.
      child = counter.labels(...(children.size < maxChildren ? values : values.map(() => 'other')));
      if (children.size < maxChildren) children.set(key, child);
    }
    child.inc(amount);
  };
}
