import { hashWords, wordHashes } from './word-hashes';
import { highestOf, sums } from './windows';
import { findWords } from './word-places';
import { hashOddWords } from './odd-words';
import { nameWorks, workPairs, workPlaces, works, workTriples } from './works';

/** Where the weights of two tables are written, a byte each. */
export const wordWeights: usize = memory.data(2 * 65_536, 16);

/** Reads the words of a text, and answers how many there are. */
export function readWords(text: usize, length: i32): i32 {
  const found = findWords(text, length);
  hashWords(found);
  const count = hashOddWords(text, found);
  nameWorks(count);
  return count;
}

const mixer: u32 = 0x9e37_79b1;
const mixers: usize = memory.data<u32>([0x9e37_79b1]);
/** So many bits of a hash are left out to get the slot of its weight. */
const unused: i32 = 16;

/** The highest sum of a window of the words that were read last, by the weights that begin so many bytes behind the first. */
export function weighWords(table: usize, count: i32, window: i32): i32 {
  const weights = wordWeights + table;
  // Nearly all words do no work, and what a word weighs that does none is the same for all.
  const idle = 2 * <i32>load<i8>(weights);
  const mix = v128.load32_splat(mixers);
  for (let word: usize = 0; word < <usize>count; word += 4) {
    const four = i32x4.shr_u(i32x4.mul(v128.load(word << 2, wordHashes), mix), unused);
    const a = i64x2.extract_lane(four, 0);
    const b = i64x2.extract_lane(four, 1);
    const two = word << 1;
    store<i16>(two, <i32>load<i8>(weights + <u32>a) + idle, sums);
    store<i16>(two, <i32>load<i8>(weights + <u32>(a >>> 32)) + idle, sums + 2);
    store<i16>(two, <i32>load<i8>(weights + <u32>b) + idle, sums + 4);
    store<i16>(two, <i32>load<i8>(weights + <u32>(b >>> 32)) + idle, sums + 6);
  }
  addWorks(weights, idle);
  return highestOf(count, window);
}

function addWorks(weights: usize, idle: i32): void {
  const count = <usize>load<u32>(works);
  for (let next: usize = 0; next < count; next++) {
    const to = (<usize>load<u16>(next << 1, workPlaces)) << 1;
    const pair = <i32>load<i8>(weights + ((load<u32>(next << 2, workPairs) * mixer) >>> unused));
    const triple = <i32>load<i8>(weights + ((load<u32>(next << 2, workTriples) * mixer) >>> unused));
    store<i16>(to, <i32>load<i16>(to, sums) + pair + triple - idle, sums);
  }
}
