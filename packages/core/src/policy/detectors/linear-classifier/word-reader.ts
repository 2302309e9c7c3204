import { mostWeighed } from './clean-text.ts';
import type { Hash, Reader } from './features.ts';
import { tableKernel } from './table-kernel.ts';

const bits = 16;
/** Forty words are a paragraph: longer stretches thin an attack out, shorter ones tell too little. */
const window = 40;

/**
 * Words in small letters, each alone; and of words that do some work in an attack, which work after which
 * other, and after which two others.
 */
export const hashWords: Hash = (units, length, hashes) => {
  let count = 0;
  for (let from = 0; from < length;) {
    const to = endOfPiece(units, from, length);
    count += tableKernel().hashWords(units.subarray(from, to), hashes.subarray(3 * count));
    from = to;
  }
  return count;
};

/** Only training reads more than is weighed: it goes on behind a word, though not with what was done before. */
function endOfPiece(units: Uint16Array, from: number, length: number): number {
  if (length - from <= mostWeighed) return length;
  const space = units.lastIndexOf(0x20, from + mostWeighed - 1);
  return space > from ? space : from + mostWeighed;
}

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
