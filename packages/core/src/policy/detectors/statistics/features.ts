import { classOf } from './word-classes.ts';
import { emptyHash, prime, wordUnits } from './word-hash.ts';
import { slotOf, type WeightTable } from './weight-table.ts';

/*
 * What the tables look at. A feature is a hash; at each place of a text three of them end. Training
 * and scoring read texts by the same functions, so that they agree; characters, of which there are most, are
 * weighed at once, and a test holds that to their hashes.
 */

/** Writes the hashes of what ends at each place, three for each, and answers the number of places. */
export type Hash = (units: Uint16Array, length: number, hashes: Int32Array) => number;

/** So many hashes a text of a length has at most. */
export const mostHashes = (length: number): number => 3 * (length + 1);

const apostrophe = 0x27;
/** So many words after one of a class its neighbours are still told of it. */
const reach = 12;

/** What a table says of each place, in the order of the places; answers their number. */
export type Weigh = (units: Uint16Array, length: number, table: WeightTable, sums: Int32Array) => number;

/**
 * Words in small letters, each alone; and of words that do some work in an attack, which work after which
 * other, and after which two others.
 */
export const hashWords: Hash = (units, length, hashes) => hashEach(units, length, hashes, true);

/** Only words that do some work: which, after which other, and after which two. What is said between them is passed over. */
export const hashClasses: Hash = (units, length, hashes) => hashEach(units, length, hashes, false);

function hashEach(units: Uint16Array, length: number, hashes: Int32Array, withWords: boolean): number {
  let hash = emptyHash;
  let last = 0;
  let beforeLast = 0;
  let distance = 0;
  let written = 0;
  for (let at = 0; at <= length; at += 1) {
    const unit = at < length ? (units[at] as number) : 0x20;
    const letter = unit < 128 ? (wordUnits[unit] as number) : unit;
    if (letter !== 0) {
      hash = Math.imul(hash ^ letter, prime);
      continue;
    }
    // What an apostrophe holds together is one word.
    if (hash === emptyHash || unit === apostrophe) continue;
    const word = hash;
    hash = emptyHash;
    distance += 1;
    if (distance > reach) last = beforeLast = 0;
    const work = classOf(word);
    if (work !== 0 || withWords) {
      hashes[written] = withWords ? word : work;
      hashes[written + 1] = work === 0 ? 0 : (last << 8) | work | 0x0100_0000;
      hashes[written + 2] = work === 0 ? 0 : (beforeLast << 16) | (last << 8) | work | 0x0200_0000;
      written += 3;
    }
    if (work === 0) continue;
    distance = 0;
    if (work === last) continue;
    beforeLast = last;
    last = work;
  }
  return written / 3;
}

const foreign = 5;

/** By unit below 128: what kind of character it is, in six bits; each sign is a kind of its own. */
const kinds = Uint8Array.from({ length: 128 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/[a-z]/.test(char)) return 1;
  if (/[A-Z]/.test(char)) return 2;
  if (/\d/.test(char)) return 3;
  if (unit <= 0x20) return 4;
  return foreign + (unit < 0x40 ? unit - 0x20 : (unit & 0x1f) + 0x20 - (unit < 0x60 ? 0 : 5));
});

/** By unit below 128: the small letter, and above its eight bits the kind. */
const characters = Uint16Array.from(
  kinds,
  (kind, unit) => (kind << 8) | (unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit),
);
const otherCharacter = (foreign << 8) | 0x7f;
const characterOf = (unit: number): number => (unit < 128 ? (characters[unit] as number) : otherCharacter);

const threeOf = (last: number): number => last & 0xff_ffff;
const fourOf = (last: number): number => last ^ 0x3c6e_f372;
const fiveOf = (shape: number): number => shape ^ 0x5f83_d9ab;

/** Characters: the last three of them, the last four, and the kinds of the last five. */
export function hashCharacters(units: Uint16Array, length: number, hashes: Int32Array): number {
  let last = 0;
  let shape = 0;
  for (let at = 0; at < length; at += 1) {
    const character = characterOf(units[at] as number);
    last = (last << 8) | (character & 0xff);
    shape = ((shape << 6) | (character >> 8)) & 0x3fff_ffff;
    hashes[3 * at] = threeOf(last);
    hashes[3 * at + 1] = fourOf(last);
    hashes[3 * at + 2] = fiveOf(shape);
  }
  return length;
}

/** The same, weighed. */
export const weighCharacters: Weigh = (units, length, { weights, shift }, sums) => {
  let last = 0;
  let shape = 0;
  for (let at = 0; at < length; at += 1) {
    const character = characterOf(units[at] as number);
    last = (last << 8) | (character & 0xff);
    shape = ((shape << 6) | (character >> 8)) & 0x3fff_ffff;
    sums[at] =
      (weights[slotOf(threeOf(last), shift)] as number) +
      (weights[slotOf(fourOf(last), shift)] as number) +
      (weights[slotOf(fiveOf(shape), shift)] as number);
  }
  return length;
};
