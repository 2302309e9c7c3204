import { classOf, hintOf } from './word-classes';
import { wordHashes } from './word-hashes';

/** Which words may have a class. */
const hinted: usize = memory.data(2 * 16_384 + 64, 16);

/** How many words do some work in an attack, which those are, and hashes of it with what was done before once and twice. */
export const works: usize = memory.data(4, 4);
export const workPlaces: usize = memory.data(2 * 16_384, 16);
export const workPairs: usize = memory.data(4 * 16_384, 16);
export const workTriples: usize = memory.data(4 * 16_384, 16);

/** So many words after one of a class its neighbours are still told of it. */
const reach: i32 = 12;

/**
 * Names the works of so many words. Which of them may have a class no processor foresees, so each is written down, and
 * the next one over it unless it has one.
 */
export function nameWorks(count: i32): void {
  let found: usize = 0;
  for (let word: usize = 0; word < <usize>count; word++) {
    store<u16>(found << 1, word, hinted);
    found += hintOf(load<u32>(word << 2, wordHashes));
  }
  let named: usize = 0;
  let last: u32 = 0;
  let beforeLast: u32 = 0;
  let lastAt: i32 = 0;
  for (let next: usize = 0; next < found; next++) {
    const at = <i32>load<u16>(next << 1, hinted);
    const work = classOf(load<u32>((<usize>at) << 2, wordHashes));
    if (work === 0) continue;
    if (at - lastAt > reach) last = beforeLast = 0;
    store<u16>(named << 1, at, workPlaces);
    store<u32>(named << 2, (last << 8) | work | 0x0100_0000, workPairs);
    store<u32>(named << 2, (beforeLast << 16) | (last << 8) | work | 0x0200_0000, workTriples);
    named++;
    lastAt = at;
    if (work === last) continue;
    beforeLast = last;
    last = work;
  }
  store<u32>(works, <u32>named);
}
