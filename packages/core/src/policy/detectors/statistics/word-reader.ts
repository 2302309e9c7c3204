import type { Hash, Reader } from './features.ts';
import { slotOf } from './weight-table.ts';
import { newTotals, unreachable } from './window-totals.ts';
import { newWords, readWords } from './words.ts';

const bits = 16;
/** Forty words are a paragraph: longer stretches thin an attack out, shorter ones tell too little. */
const window = 40;

const read = newWords();

/**
 * Words in small letters, each alone; and of words that do some work in an attack, which work after which
 * other, and after which two others.
 */
export const hashWords: Hash = (units, length, hashes) => {
  readWords(units, length, read);
  for (let at = 0; at < read.count; at += 1) {
    hashes[3 * at] = read.hashes[at] as number;
    hashes[3 * at + 1] = read.pairs[at] as number;
    hashes[3 * at + 2] = read.triples[at] as number;
  }
  return read.count;
};

const totals = newTotals(window);

/** The same, weighed. */
const weighWords: Reader['weigh'] = ({ words }, { weights }) => {
  const { hashes, pairs, triples, count } = words;
  let total = 0;
  let highest = -unreachable;
  for (let at = 0; at < count; at += 1) {
    const sum =
      (weights[slotOf(hashes[at] as number, bits)] as number) +
      (weights[slotOf(pairs[at] as number, bits)] as number) +
      (weights[slotOf(triples[at] as number, bits)] as number);
    total = (total + sum) | 0;
    totals[at + window] = total;
    const inWindow = (total - (totals[at] as number)) | 0;
    if (inWindow > highest) highest = inWindow;
  }
  return count < window ? total : highest;
};

export const wordReader: Reader = {
  hash: hashWords,
  bits,
  count: ({ words }) => words.count,
  weigh: weighWords,
  totals,
  window,
  least: 12,
  fewest: 3,
  fewestDistinct: 3,
};

/** The same words, of what tools answer: many are short, and say little of who is told to do something. */
export const orderReader: Reader = { ...wordReader, least: 20 };
