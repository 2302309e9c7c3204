import { classOf } from './word-classes.ts';
import { hashAllWords } from './word-hash.ts';

/** The words of a text, one after the other. */
export class Words {
  count = 0;
  hashes = new Int32Array(0);
  /** Hashes of the work that a word does in an attack with the one before, and with the two before; 0 where it does none. */
  pairs = new Int32Array(0);
  triples = new Int32Array(0);

  /** At most every second unit ends a word. */
  makeRoom(length: number): void {
    const most = (length >> 1) + 2;
    if (this.hashes.length >= most) return;
    this.hashes = new Int32Array(2 * most);
    this.pairs = new Int32Array(2 * most);
    this.triples = new Int32Array(2 * most);
  }
}

/** Reads the words of a text. What an apostrophe holds together is one. */
export function readWords(units: Uint16Array, length: number, words: Words): void {
  words.makeRoom(length);
  words.count = hashAllWords(units, length, words.hashes);
  nameWorks(words);
}

/** So many words after one of a class its neighbours are still told of it. */
const reach = 12;

function nameWorks({ count, hashes, pairs, triples }: Words): void {
  let last = 0;
  let beforeLast = 0;
  let lastAt = 0;
  for (let at = 0; at < count; at += 1) {
    pairs[at] = triples[at] = 0;
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
