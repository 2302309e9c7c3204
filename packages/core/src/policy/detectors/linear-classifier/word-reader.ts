import type { CleanText } from './clean-text.ts';
import type { Hash, Reader } from './features.ts';
import { highestSum, windowSums } from './window-sums.ts';
import { slotOf, type Weights } from './weights.ts';
import { readWords, Words } from './words.ts';

const bits = 16;
/** Forty words are a paragraph: longer stretches thin an attack out, shorter ones tell too little. */
const window = 40;

const read = new Words();

/**
 * Words in small letters, each alone; and of words that do some work in an attack, which work after which
 * other, and after which two others.
 */
export const hashWords: Hash = (units, length, hashes) => {
  readWords(units, length, read);
  for (let word = 0; word < read.count; word += 1) {
    hashes[3 * word] = read.hashes[word] as number;
    hashes[3 * word + 1] = read.pairs[word] as number;
    hashes[3 * word + 2] = read.triples[word] as number;
  }
  return read.count;
};

/** The same, weighed. */
function weighWords({ words }: CleanText, { weights }: Weights): number {
  const { hashes, pairs, triples, count } = words;
  for (let word = 0; word < count; word += 1) {
    windowSums[word] =
      (weights[slotOf(hashes[word] as number, bits)] as number) +
      (weights[slotOf(pairs[word] as number, bits)] as number) +
      (weights[slotOf(triples[word] as number, bits)] as number);
  }
  return highestSum(count, window);
}

export const wordReader: Reader = {
  hash: hashWords,
  bits,
  count: ({ words }) => words.count,
  weigh: weighWords,
  window,
  least: 12,
  fewest: 3,
  fewestDistinct: 3,
};

/** The same words, of what tools answer: many are short, and say little of who is told to do something. */
export const orderReader: Reader = { ...wordReader, least: 20 };
