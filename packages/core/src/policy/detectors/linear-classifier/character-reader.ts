import type { Hash, Reader } from './features.ts';
import { highestSum, windowSums } from './window-sums.ts';
import { slotOf } from './weights.ts';

const bits = 15;
/** The tails that searches find are some eighty characters long. */
const window = 64;

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

const otherCharacter = (foreign << 8) | 0x7f;

/** By unit: the small letter, and above its eight bits the kind. */
const characters = Uint16Array.from({ length: 0x1_0000 }, (_, unit) => {
  if (unit >= 128) return otherCharacter;
  return ((kinds[unit] as number) << 8) | (unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit);
});

const threeOf = (last: number): number => last & 0xff_ffff;
const fourOf = (last: number): number => last ^ 0x3c6e_f372;
const fiveOf = (shape: number): number => shape ^ 0x5f83_d9ab;

/** Characters: the last three of them, the last four, and the kinds of the last five. */
export const hashCharacters: Hash = (units, length, hashes) => {
  let last = 0;
  let shape = 0;
  for (let at = 0; at < length; at += 1) {
    const character = characters[units[at] as number] as number;
    last = (last << 8) | (character & 0xff);
    shape = ((shape << 6) | (character >> 8)) & 0x3fff_ffff;
    hashes[3 * at] = threeOf(last);
    hashes[3 * at + 1] = fourOf(last);
    hashes[3 * at + 2] = fiveOf(shape);
  }
  return length;
};

/** The same, weighed. */
const weighCharacters: Reader['weigh'] = ({ units, length }, { weights }) => {
  let last = 0;
  let shape = 0;
  for (let at = 0; at < length; at += 1) {
    const character = characters[units[at] as number] as number;
    last = (last << 8) | (character & 0xff);
    shape = ((shape << 6) | (character >> 8)) & 0x3fff_ffff;
    windowSums[at] =
      (weights[slotOf(threeOf(last), bits)] as number) +
      (weights[slotOf(fourOf(last), bits)] as number) +
      (weights[slotOf(fiveOf(shape), bits)] as number);
  }
  return highestSum(length, window);
};

export const characterReader: Reader = {
  hash: hashCharacters,
  bits,
  count: ({ length }) => length,
  weigh: weighCharacters,
  window,
  least: 64,
  fewest: 64,
  fewestDistinct: 24,
};
