import type { Unit } from './unit.ts';

/** The innermost unit that a place stands in: what is in a comment is not in the statement around it. */
export function unitFinder(units: readonly Unit[]): (at: number) => Unit | undefined {
  const sorted = units.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const starts = Int32Array.from(sorted, ({ start }) => start);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    for (let index = low - 1; index >= 0 && index >= low - 40; index -= 1) {
      const unit = sorted[index] as Unit;
      if (unit.end > at) return unit;
    }
    return undefined;
  };
}
