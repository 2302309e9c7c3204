import { classOf, siftWords } from './word-classes.ts';
import { hashRuns } from './word-hash.ts';

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

/** So many words after one of a class its neighbours are still told of it. */
const reach = 12;

/** Where words stand that may do some work. */
let places = new Int32Array(512);

/** Reads the words of a text. What an apostrophe holds together is one. */
export function readWords(units: Uint16Array, length: number, words: Words): void {
  if (words.hashes.length <= length) makeRoom(words, 2 * length);
  const { count, found } = siftWords(words.hashes, hashRuns(units, length, words.hashes), places);
  words.count = count;
  words.pairs.fill(0, 0, count);
  words.triples.fill(0, 0, count);
  nameWorks(words, found);
}

function nameWorks({ hashes, pairs, triples }: Words, found: number): void {
  let last = 0;
  let beforeLast = 0;
  let lastAt = -1;
  for (let next = 0; next < found; next += 1) {
    const at = places[next] as number;
    const work = classOf(hashes[at] as number);
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
  if (places.length < most) places = new Int32Array(most);
  return words;
}
