import { Counter, type Registry } from 'prom-client';

/** Combinations of label values told apart. */
const maxChildren = 5_000;

/**
 * Registers a counter and answers the function that counts by label values, in the order of the
 * names. prom-client hashes all labels to find a child; here each child is kept.
 */
export function countByLabels<const Names extends readonly string[]>(
  registry: Registry,
  family: { readonly name: string; readonly help: string; readonly labelNames: Names },
): (...values: { [Index in keyof Names]: string }) => void {
  const counter = new Counter({ registers: [registry], ...family });
  const children = new Map<string, Counter.Internal>();
  return (...values) => {
    const key = values.join('\n');
    let child = children.get(key);
    if (child === undefined) {
      // Names can change for ever; the memory of them must not grow with that.
      child = counter.labels(...(children.size < maxChildren ? values : values.map(() => 'other')));
      if (children.size < maxChildren) children.set(key, child);
    }
    child.inc();
  };
}
