import type { Hash, Reader } from './features.ts';
import { tableKernel } from './table-kernel.ts';

const bits = 16;
/** Forty words are a paragraph: longer stretches thin an attack out, shorter ones tell too little. */
const window = 40;

/**
 * Words in small letters, each alone; and of words that do some work in an attack, which work after which
 * other, and after which two others.
 */
export const hashWords: Hash = (units, length, hashes) => tableKernel().hashWords(units.subarray(0, length), hashes);

export const wordReader: Reader = {
  hash: hashWords,
  bits,
  count: (text) => tableKernel().countWords(text),
  weigh: (text, table) => tableKernel().weighWords(text, table, window),
  sums: () => tableKernel().sums,
  window,
  least: 12,
  fewest: 3,
  fewestDistinct: 3,
};

/** The same words, of what tools answer: many are short, and say little of who is told to do something. */
export const orderReader: Reader = { ...wordReader, least: 20 };
