import { Counter, type Registry } from 'prom-client';

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
      child = counter.labels(...values);
      children.set(key, child);
    }
    child.inc();
  };
}
