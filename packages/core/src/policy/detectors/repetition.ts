import { unitsOf } from '../finder/text-units.ts';
import type { TextDetector } from './detector.ts';

/** Fewer words repeat each other by chance. */
const fewestWords = 60;
const mostWords = 4_000;

/** So many units are read before their words are looked at: most texts are known for harmless by few of them. */
const stretch = 128;

/** The share of groups of three words that have been seen before: floods and runaway answers. */
export const repetition: TextDetector = {
  kind: 'text',
  name: 'repetition',
  type: 'REPETITION',
  description: 'Texts that say the same again and again',
  score(text, least = 0) {
    if (text.length < 2 * fewestWords - 1) return 0;
    const end = Math.min(text.length, mostWords * 8);
    return shareOfRepeats(unitsOf(text), end, least) ?? shareOfSmall(text.slice(0, end).toLowerCase(), least);
  },
};

/**
 * By unit: 0 for what `\s` matches, else the unit as a small letter. No small letter is a large A, which stands
 * for the unit 0.
 */
const letters = Uint16Array.from({ length: 0x1_0000 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/\s/.test(char)) return 0;
  return unit === 0 ? 0x41 : unit < 128 ? char.toLowerCase().charCodeAt(0) : unit;
});

function shareOfSmall(text: string, least: number): number {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return shareOfRepeats(units, units.length, least, true) ?? 0;
}

/** Undefined where a letter comes up of which it takes the whole text to know what it is as a small one. */
function shareOfRepeats(units: Uint16Array, end: number, least: number, isSmall = false): number | undefined {
  /** More different groups are too many for so many words; what is exactly at the limit is left to the share itself. */
  const mostOf = (most: number): number =>
    Math.floor((1 - least) * Math.max(0, Math.min(mostWords, most) - 2) + rounding);
  groups.begin(mostOf((end >> 1) + 2));
  open.hash = open.inWord = open.units = 0;
  for (let from = 0; from < end && groups.words < mostWords; from += stretch) {
    const to = Math.min(from + stretch, end);
    const count = hashWords(units, from, to, to === end);
    if (open.units >= 128 && !isSmall) return undefined;
    // At most every second character that is left ends a word.
    const most = mostOf(groups.words + count + ((end - to) >> 1) + 1);
    for (let at = 0; at < count && groups.words < mostWords; at += 1) {
      groups.add(hashes[at] as number);
      if (groups.distinct > most) return 0;
    }
  }
  return groups.words < fewestWords ? 0 : 1 - groups.distinct / (groups.words - 2);
}

const rounding = 1e-9;

/** What the words hash to that end in a stretch. */
const hashes = new Int32Array(stretch + 1);
/** What the word that goes on behind a stretch hashes to, whether there is one (all bits), and all units so far in one. */
const open = { hash: 0, inWord: 0, units: 0 };

/** Nobody foresees where words end: each hash is written down, and the next one over it unless a word has ended. */
function hashWords(units: Uint16Array, from: number, to: number, isLast: boolean): number {
  let count = 0;
  let { hash, inWord, units: all } = open;
  // As long as nothing asks whether a place is too large a number, the loop keeps what it has in registers.
  for (let at = from; at < to; at = (at + 1) | 0) {
    const unit = units[at] as number;
    const letter = letters[unit] as number;
    const ends = (letter - 1) >> 31;
    all |= unit;
    hashes[count] = hash;
    count = (count - (ends & inWord)) | 0;
    inWord = ~ends;
    hash = (Math.imul(hash, 0x0100_0193) + letter) & ~ends;
  }
  hashes[count] = hash;
  open.hash = hash;
  open.inWord = inWord;
  open.units = all;
  return isLast ? count - inWord : count;
}

/** Groups of three words in a row, and how many of them differ. */
class Groups {
  words = 0;
  distinct = 0;
  #before = 0;
  #last = 0;
  /** By two hashes of each: open addressing, a round and the hashes side by side. A new round empties it. */
  readonly #known = new Int32Array(4 * 8_192);
  #round = 0;
  #mask = 0;

  /** Texts that are known for harmless by few groups use but the beginning: there is room for so many, and one more. */
  begin(most: number): void {
    this.words = this.distinct = 0;
    this.#round += 1;
    this.#mask = 4 * Math.min(this.#known.length >> 2, 1 << (33 - Math.clz32(most + 1))) - 4;
  }

  add(word: number): void {
    const before = this.#before;
    const last = this.#last;
    this.#before = last;
    this.#last = word;
    this.words += 1;
    if (this.words < 3) return;
    const a = Math.imul(Math.imul(before, 31) + last, 31) + word;
    const b = Math.imul(Math.imul(word, 0x5bd1e995) ^ last, 0x5bd1e995) ^ before;
    if (this.#isNew(Math.imul(a ^ (a >>> 15), 0x2c1b3c6d), b)) this.distinct += 1;
  }

  #isNew(a: number, b: number): boolean {
    const known = this.#known;
    let at = (4 * a) & this.#mask;
    while (known[at] === this.#round) {
      if (known[at + 1] === a && known[at + 2] === b) return false;
      at = (at + 4) & this.#mask;
    }
    known[at] = this.#round;
    known[at + 1] = a;
    known[at + 2] = b;
    return true;
  }
}

const groups = new Groups();
