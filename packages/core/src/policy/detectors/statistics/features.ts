/*
 * What the tables look at. A feature is a hash; at each place of a text three of them end. Training
 * and scoring read texts by the same functions, so that they agree.
 */

/** Writes the hashes of what ends at each place, three for each, and answers the number of places. */
export type Hash = (units: Uint16Array, length: number, hashes: Int32Array) => number;

/** So many hashes a text of a length has at most. */
export const mostHashes = (length: number): number => 3 * (length + 1);

const start = 0x811c_9dc5 | 0;
const prime = 0x0100_0193;
const digit = 0x30;
const apostrophe = 0x27;

/** By unit below 128: letters as small ones, digits as one and the same, all else 0. */
const wordUnits = Uint8Array.from({ length: 128 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/[a-z]/i.test(char)) return unit | 0x20;
  return /\d/.test(char) ? digit : 0;
});

/** Words in small letters: each alone, with the one before it, and with the two before it. */
export function hashWords(units: Uint16Array, length: number, hashes: Int32Array): number {
  let hash = start;
  let previous = 0;
  let beforeThat = 0;
  let written = 0;
  for (let at = 0; at <= length; at += 1) {
    const unit = at < length ? (units[at] as number) : 0x20;
    const letter = unit < 128 ? (wordUnits[unit] as number) : unit;
    if (letter !== 0) {
      hash = Math.imul(hash ^ letter, prime);
      continue;
    }
    // What an apostrophe holds together is one word.
    if (hash === start || unit === apostrophe) continue;
    const pair = Math.imul(previous ^ 0x5bd1, prime) ^ hash;
    hashes[written] = hash;
    hashes[written + 1] = pair;
    hashes[written + 2] = Math.imul(beforeThat ^ 0x1b87, prime) ^ pair;
    written += 3;
    beforeThat = previous;
    previous = hash;
    hash = start;
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

/** Characters: the last three of them, the last four, and the kinds of the last five. */
export function hashCharacters(units: Uint16Array, length: number, hashes: Int32Array): number {
  let last = 0;
  let shape = 0;
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] as number;
    const small = unit < 128 ? (unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit) : 0x7f;
    last = (last << 8) | small;
    shape = ((shape << 6) | (unit < 128 ? (kinds[unit] as number) : foreign)) & 0x3fff_ffff;
    hashes[3 * at] = last & 0xff_ffff;
    hashes[3 * at + 1] = last ^ 0x3c6e_f372;
    hashes[3 * at + 2] = shape ^ 0x5f83_d9ab;
  }
  return length;
}
