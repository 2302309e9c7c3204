/*
 * What the tables look at. A feature is a hash; at each place of a text several of them end. Training
 * and scoring read texts by the same functions, so that they agree.
 */

/** Told for each place: the hashes of what ends there. */
export type Visit = (first: number, second: number, third: number) => void;

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
export function visitWords(text: string, visit: Visit): void {
  let hash = start;
  let previous = 0;
  let beforeThat = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : 0x20;
    const letter = unit < 128 ? (wordUnits[unit] as number) : unit;
    if (letter !== 0) {
      hash = Math.imul(hash ^ letter, prime);
      continue;
    }
    // What an apostrophe holds together is one word.
    if (hash === start || unit === apostrophe) continue;
    const pair = Math.imul(previous ^ 0x5bd1, prime) ^ hash;
    visit(hash, pair, Math.imul(beforeThat ^ 0x1b87, prime) ^ pair);
    beforeThat = previous;
    previous = hash;
    hash = start;
  }
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
export function visitCharacters(text: string, visit: Visit): void {
  let units = 0;
  let shape = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const small = unit < 128 ? (unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit) : 0x7f;
    units = (units << 8) | small;
    shape = ((shape << 6) | (unit < 128 ? (kinds[unit] as number) : foreign)) & 0x3fff_ffff;
    visit(units & 0xff_ffff, units ^ 0x3c6e_f372, shape ^ 0x5f83_d9ab);
  }
}
