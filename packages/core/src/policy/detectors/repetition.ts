import { mostWordsIn } from '../finder/text-units.ts';
import type { TextDetector } from './detector.ts';
import { isSpace } from './linear-classifier/clean-text.ts';

/** Fewer words, of which each takes a character and a space, repeat each other by chance. */
const fewestWords = 60;
const mostWords = 4_000;

/** What is further on is not looked at. */
const mostUnits = 32_000;

/** The share of groups of three words that have been seen before: floods and runaway answers. */
export const repetition: TextDetector = {
  kind: 'text',
  name: 'repetition',
  type: 'REPETITION',
  description: 'Texts that say the same again and again',
  score(text, least = 0) {
    if (text.length < 2 * fewestWords - 1) return 0;
    const most = Math.min(mostWords, mostWordsIn(text));
    if (most < fewestWords) return 0;
    return shareOfRepeats(text.slice(0, mostUnits).toLowerCase(), mostGroups(most, least));
  },
};

const rounding = 1e-9;

/** More different groups of so many words are too many; what is exactly at the limit is left to the share itself. */
const mostGroups = (words: number, least: number): number => Math.floor((1 - least) * (words - 2) + rounding);

/** 0 as soon as there are more different groups than `most`. */
function shareOfRepeats(text: string, most: number): number {
  groups.begin(most);
  let words = 0;
  let hash = 0;
  let inWord = false;
  for (let at = 0; at <= text.length && words < mostWords; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : 0x20;
    if (!isSpace(unit)) {
      hash = Math.imul(hash, 0x0100_0193) + unit + 1;
      inWord = true;
    } else if (inWord) {
      groups.add(hash);
      words += 1;
      hash = 0;
      inWord = false;
      if (groups.distinct > most) return 0;
    }
  }
  return words < fewestWords ? 0 : 1 - groups.distinct / (words - 2);
}

/** Groups of three words in a row, and how many of them differ. */
class Groups {
  distinct = 0;
  #words = 0;
  #last = 0;
  #beforeLast = 0;
  /** Open addressing: two hashes of a group side by side, both 0 in slots that are free. */
  readonly #known = new Int32Array(2 * 8_192);
  #lastSlot = 0;

  /** There is room for one group more than `most`, which fill half of it. */
  begin(most: number): void {
    this.distinct = this.#words = 0;
    this.#lastSlot = Math.min(this.#known.length >> 1, 1 << (33 - Math.clz32(most + 1))) - 1;
    this.#known.fill(0, 0, 2 * (this.#lastSlot + 1));
  }

  add(word: number): void {
    const before = this.#beforeLast;
    const last = this.#last;
    this.#beforeLast = last;
    this.#last = word;
    this.#words += 1;
    if (this.#words < 3) return;
    const one = Math.imul(Math.imul(before, 31) + last, 31) + word;
    const other = Math.imul(Math.imul(word, 0x5bd1_e995) ^ last, 0x5bd1_e995) ^ before;
    if (this.#isNew(Math.imul(one ^ (one >>> 15), 0x2c1b_3c6d), other | 1)) this.distinct += 1;
  }

  #isNew(one: number, other: number): boolean {
    const known = this.#known;
    for (let slot = one & this.#lastSlot; ; slot = (slot + 1) & this.#lastSlot) {
      if (known[2 * slot + 1] === 0) {
        known[2 * slot] = one;
        known[2 * slot + 1] = other;
        return true;
      }
      if (known[2 * slot] === one && known[2 * slot + 1] === other) return false;
    }
  }
}

const groups = new Groups();
