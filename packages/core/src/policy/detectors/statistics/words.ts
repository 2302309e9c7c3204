import { classOf, siftWords, type SiftedWords } from './word-classes.ts';
import { emptyHash, hashRuns, runsOfStretch, stretch } from './word-hash.ts';

/** The words of a text, one after the other. */
export interface Words extends SiftedWords {
  /** Hashes of the work that it does in an attack with the one before, and with the two before; 0 where it does none. */
  pairs: Int32Array;
  triples: Int32Array;
}

export const newWords = (): Words => makeRoom({ count: 0, found: 0 } as Words, 512);

/** So many words after one of a class its neighbours are still told of it. */
const reach = 12;

/** Reads the words of a text. What an apostrophe holds together is one. */
export function readWords(units: Uint16Array, length: number, words: Words): void {
  if (words.hashes.length <= length) makeRoom(words, 2 * length);
  words.count = words.found = 0;
  runsOfStretch[0] = emptyHash;
  for (let from = 0; from < length; from += stretch) {
    siftWords(words, hashRuns(units, from, Math.min(from + stretch, length)));
  }
  siftWords(words, 1);
  words.pairs.fill(0, 0, words.count);
  words.triples.fill(0, 0, words.count);
  nameWorks(words);
}

function nameWorks({ hashes, places, found, pairs, triples }: Words): void {
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
  words.places = new Int32Array(most);
  return words;
}
