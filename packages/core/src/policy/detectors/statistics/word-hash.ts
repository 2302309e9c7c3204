/** The hash of no letters, and what each letter multiplies it by (FNV-1a). */
const empty = 0x811c_9dc5 | 0;
export const emptyHash = empty;
const prime = 0x0100_0193;
const digit = 0x30;
const apostrophe = 0x27;

/** In small letters, digits as one and the same; 0 for what ends a word. */
function letterOf(unit: number): number {
  if (unit >= 128) return unit;
  const char = String.fromCharCode(unit);
  if (/[a-z]/i.test(char)) return unit | 0x20;
  return /\d/.test(char) ? digit : 0;
}

/** By unit: its letter, negative for what ends a word; and what the hash is multiplied by. What an apostrophe holds together is one. */
const letters = new Int32Array(0x1_0000);
const factors = new Int32Array(0x1_0000);
for (let unit = 0; unit < letters.length; unit += 1) {
  const letter = letterOf(unit);
  letters[unit] = letter === 0 && unit !== apostrophe ? -0x8000_0000 : letter;
  factors[unit] = letter === 0 ? Number(unit === apostrophe) : prime;
}

/** Words are read so many units at a time: what is written down for each unit stays at hand. */
export const stretch = 1_024;

/** What the words of a stretch hash to, the open one first, and an empty hash for each further end behind an end. */
const runs = new Int32Array(stretch + 1);
export const runsOfStretch = runs;

/**
 * Reads on from a place to another, with the word that is open there first in `runsOfStretch`. Answers how many are
 * complete in it, behind which stands the one that is open now.
 * Ends of words come too often and too irregularly for a processor to foresee them, so nothing is decided by them: each
 * hash is written down, and the next one over it unless something has ended.
 */
export function hashRuns(units: Uint16Array, from: number, to: number): number {
  let hash = runs[0] as number;
  let count = 0;
  // Nothing asks whether a place is too large a number: so the loop keeps what it has in registers.
  for (let at = from; at < to; at = (at + 1) | 0) {
    const unit = units[at] as number;
    const letter = letters[unit] as number;
    /** All bits where a word may end here, and none elsewhere. */
    const ends = letter >> 31;
    runs[count] = hash;
    count = (count - ends) | 0;
    hash = (Math.imul(hash ^ letter, factors[unit] as number) + (empty & ends)) | 0;
  }
  runs[count] = hash;
  return count;
}

/** The hash of a word as `hashRuns` sees it, apostrophes and all. */
export function hashWord(word: string): number {
  let hash = empty;
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at);
    if ((letters[unit] as number) > 0) hash = Math.imul(hash ^ (letters[unit] as number), prime);
  }
  return hash;
}
