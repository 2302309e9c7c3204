import { unitsOf } from '../finder/text-units.ts';
import type { TextDetector } from './detector.ts';

/** Fewer words repeat each other by chance. */
const fewestWords = 60;
const mostWords = 4_000;

/**
 * Groups of words that have been seen, by two hashes each: open addressing, a round and the hashes side by side. A new
 * round empties it, and short texts use but the beginning of it.
 */
const slots = 16_384;
const fewestSlots = 1_024;
const groups = new Int32Array(4 * slots);
let round = 0;
let mask = 0;

/** Forgets the groups of other texts; there is room for those of so many units. */
function begin(units: number): void {
  round += 1;
  const most = Math.min(mostWords, units >> 1);
  mask = 4 * Math.min(slots, Math.max(fewestSlots, 1 << (34 - Math.clz32(most)))) - 4;
}

/** True when the group is new. */
function note(a: number, b: number): boolean {
  let at = (4 * a) & mask;
  while (groups[at] === round) {
    if (groups[at + 1] === a && groups[at + 2] === b) return false;
    at = (at + 4) & mask;
  }
  groups[at] = round;
  groups[at + 1] = a;
  groups[at + 2] = b;
  return true;
}

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

/** By unit below 128: 0 for what `\s` matches, else one more than the unit as a small letter. */
const letters = Uint8Array.from({ length: 128 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  return /\s/.test(char) ? 0 : char.toLowerCase().charCodeAt(0) + 1;
});

function shareOfSmall(text: string, least: number): number {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return shareOfRepeats(units, units.length, least, true) ?? 0;
}

/** Undefined where a letter comes up of which it takes the whole text to know what it is as a small one. */
function shareOfRepeats(units: Uint16Array, end: number, least: number, isSmall = false): number | undefined {
  begin(end);
  let words = 0;
  let distinct = 0;
  let [before, last, hash, length] = [0, 0, 0, 0];
  for (let at = 0; at <= end && words < mostWords; at += 1) {
    const unit = at < end ? (units[at] as number) : 0x20;
    if (unit >= 128 && !isSmall) return undefined;
    const letter = unit < 128 ? (letters[unit] as number) : letterOf(unit);
    if (letter !== 0) {
      hash = (Math.imul(hash, 0x01000193) + letter) | 0;
      length += 1;
      continue;
    }
    if (length === 0) continue;
    words += 1;
    if (words > 2) {
      const a = Math.imul(Math.imul(before, 31) + last, 31) + hash;
      const b = Math.imul(Math.imul(hash, 0x5bd1e995) ^ last, 0x5bd1e995) ^ before;
      if (note(Math.imul(a ^ (a >>> 15), 0x2c1b3c6d) | 0, b)) distinct += 1;
      // At most every second character that is left ends a word: most texts are known for harmless soon.
      const most = Math.min(mostWords, words + ((end - at) >> 1)) - 2;
      if (distinct > (1 - least) * most) return 0;
    }
    [before, last, hash, length] = [last, hash, 0, 0];
  }
  return words < fewestWords ? 0 : 1 - distinct / (words - 2);
}

const letterOf = (unit: number): number => (unit >= 0xa0 && otherSpace.test(String.fromCharCode(unit)) ? 0 : unit + 1);
const otherSpace = /^\s$/;
