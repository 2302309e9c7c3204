import { slotOf } from './weights.ts';

const keyBits = 16;
/** By key of a place: how often the window has it. Windows are far shorter than what fits; between texts it is empty. */
const inWindow = new Uint8Array(1 << keyBits);
/** By the same key: what its first place in the window added. Other features may share the key, and the sum must not drift by that. */
const added = new Int16Array(1 << keyBits);

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
      const leaving = place - window;
      // What speaks against an attack counts each time.
      sum -= Math.min(sums[leaving] as number, 0);
      const key = keyOf(hashes, 3 * leaving);
      if ((inWindow[key] = (inWindow[key] as number) - 1) === 0) {
        distinct -= 1;
        sum -= added[key] as number;
      }
    }
    const worth = sums[place] as number;
    sum += Math.min(worth, 0);
    const key = keyOf(hashes, 3 * place);
    if ((inWindow[key] = (inWindow[key] as number) + 1) === 1) {
      distinct += 1;
      sum += added[key] = Math.max(worth, 0);
    }
    if (place + 1 >= full && distinct >= fewest && sum > highest) highest = sum;
  }
  for (let place = Math.max(0, count - window); place < count; place += 1) inWindow[keyOf(hashes, 3 * place)] = 0;
  return highest;
}

/** Places with the same features have the same. */
function keyOf(hashes: Int32Array, at: number): number {
  const two = Math.imul(hashes[at] as number, 31) + (hashes[at + 1] as number);
  return slotOf(Math.imul(two, 31) + (hashes[at + 2] as number), keyBits);
}
