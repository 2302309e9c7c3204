import type { CleanText } from './clean-text.ts';
import { slotOf, type WeightTable } from './weight-table.ts';
import { newWords, readWords } from './words.ts';

/*
 * What the tables look at. A feature is a hash; at each place of a text three of them end. Training
 * and scoring read texts by the same functions, so that they agree; scoring
 * weighs them at once, without writing them down, and a test holds that to the hashes.
 */

/** Writes the hashes of what ends at each place, three for each, and answers the number of places. */
export type Hash = (units: Uint16Array, length: number, hashes: Int32Array) => number;

/** So many hashes a text of a length has at most. */
export const mostHashes = (length: number): number => 3 * (length + 1);

/** What a table says of each place, in the order of the places; answers their number. */
export type Weigh = (text: CleanText, table: WeightTable, sums: Int32Array) => number;

const read = newWords();

/**
 * Words in small letters, each alone; and of words that do some work in an attack, which work after which
 * other, and after which two others.
 */
export const hashWords: Hash = (units, length, hashes) => {
  readWords(units, length, read);
  for (let at = 0; at < read.count; at += 1) {
    hashes[3 * at] = read.hashes[at] as number;
    hashes[3 * at + 1] = read.pairs[at] as number;
    hashes[3 * at + 2] = read.triples[at] as number;
  }
  return read.count;
};

/** The same, weighed. */
export const weighWords: Weigh = ({ words }, { weights, shift }, sums) => {
  const { hashes, pairs, triples, count } = words;
  for (let at = 0; at < count; at += 1) {
    sums[at] =
      (weights[slotOf(hashes[at] as number, shift)] as number) +
      (weights[slotOf(pairs[at] as number, shift)] as number) +
      (weights[slotOf(triples[at] as number, shift)] as number);
  }
  return count;
};

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
export const weighCharacters: Weigh = ({ units, length }, { weights, shift }, sums) => {
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
