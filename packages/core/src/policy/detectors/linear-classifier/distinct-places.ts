import { slotOf } from './weights.ts';

const keyBits = 16;
/** By key of a place: how often the window has it. Windows are far shorter than what fits; between texts it is empty. */
const inWindow = new Uint8Array(1 << keyBits);

/**
 * The highest sum of a window in which each place that speaks for an attack counts once, however often the same
 * features come again; it is never above the sum of all places. Windows with fewer than `fewest` different places
 * have none: without any other the answer is -Infinity.
 * @param hashes three for each place
 * @param sums what each place weighs
 */
export function highestOfDistinct(
  hashes: Int32Array,
  sums: Int16Array,
  count: number,
  window: number,
  fewest: number,
): number {
  const full = Math.min(count, window);
  let sum = 0;
  let distinct = 0;
  let highest = -Infinity;
  for (let place = 0; place < count; place += 1) {
    if (place >= window) {
      const isLast = add(hashes, place - window, -1) === 0;
      if (isLast) distinct -= 1;
      sum -= worth(sums[place - window] as number, isLast);
    }
    const isFirst = add(hashes, place, 1) === 1;
    if (isFirst) distinct += 1;
    sum += worth(sums[place] as number, isFirst);
    if (place + 1 >= full && distinct >= fewest && sum > highest) highest = sum;
  }
  for (let place = Math.max(0, count - window); place < count; place += 1) inWindow[keyOf(hashes, 3 * place)] = 0;
  return highest;
}

/** What speaks against an attack counts each time. */
const worth = (sum: number, isOnly: boolean): number => (isOnly || sum < 0 ? sum : 0);

/** Counts a place in or out, and answers how often the window has its like. */
function add(hashes: Int32Array, place: number, change: number): number {
  const key = keyOf(hashes, 3 * place);
  return (inWindow[key] = (inWindow[key] as number) + change);
}

/** Places with the same features have the same. */
function keyOf(hashes: Int32Array, at: number): number {
  const two = Math.imul(hashes[at] as number, 31) + (hashes[at + 1] as number);
  return slotOf(Math.imul(two, 31) + (hashes[at + 2] as number), keyBits);
}
