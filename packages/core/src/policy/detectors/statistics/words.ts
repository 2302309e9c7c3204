import { classOf } from './word-classes.ts';
import { emptyHash, prime, wordUnits } from './word-hash.ts';

/** The words of a text, one after the other. */
export interface Words {
  /** What each hashes to, in small letters. */
  hashes: Int32Array;
  /** Hashes of the work that it does in an attack with the one before, and with the two before; 0 where it does none. */
  pairs: Int32Array;
  triples: Int32Array;
  count: number;
}

export const newWords = (): Words => makeRoom({ count: 0 } as Words, 512);

const apostrophe = 0x27;
/** So many words after one of a class its neighbours are still told of it. */
const reach = 12;

/** By unit: what it adds to a hash; 0 for what ends a word. */
const letters = Uint16Array.from({ length: 0x1_0000 }, (_, unit) => (unit < 128 ? (wordUnits[unit] as number) : unit));

/** Reads the words of a text. What an apostrophe holds together is one. */
export function readWords(units: Uint16Array, length: number, words: Words): void {
  if (words.hashes.length <= length) makeRoom(words, 2 * length);
  words.count = hashWords(units, length, words.hashes);
  nameWorks(words);
}

/**
 * Ends of words come too often and too irregularly for a processor to foresee them, so nothing is decided by them: each
 * hash is written down, and the next one over it unless a word has ended.
 */
function hashWords(units: Uint16Array, length: number, hashes: Int32Array): number {
  const empty = emptyHash;
  const times = prime;
  let hash = empty;
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] as number;
    if (unit === apostrophe) continue;
    const letter = letters[unit] as number;
    /** All bits where a word may end here, and none elsewhere. */
    const ends = (letter - 1) >> 31;
    const grown = hash ^ empty;
    hashes[count] = hash;
    count -= ends & ((grown | -grown) >> 31);
    hash = (Math.imul(hash ^ letter, times) & ~ends) | (empty & ends);
  }
  hashes[count] = hash;
  return hash === empty ? count : count + 1;
}

function nameWorks({ hashes, pairs, triples, count }: Words): void {
  let last = 0;
  let beforeLast = 0;
  let lastAt = -1;
  for (let at = 0; at < count; at += 1) {
    const work = classOf(hashes[at] as number);
    pairs[at] = 0;
    triples[at] = 0;
    if (work === 0) continue;
    if (at - lastAt > reach) last = beforeLast = 0;
    pairs[at] = (last << 8) | work | 0x0100_0000;
    triples[at] = (beforeLast << 16) | (last << 8) | work | 0x0200_0000;
    lastAt = at;
    if (work === last) continue;
    beforeLast = last;
    last = work;
  }
}

function makeRoom(words: Words, most: number): Words {
  words.hashes = new Int32Array(most);
  words.pairs = new Int32Array(most);
  words.triples = new Int32Array(most);
  return words;
}
