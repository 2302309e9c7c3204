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

/**
 * Writes down what each word hashes to, and the empty hash for each further end behind an end; answers how many.
 * Ends of words come too often and too irregularly for a processor to foresee them, so nothing is decided by them: each
 * hash is written down, and the next one over it unless something has ended.
 */
export function hashRuns(units: Uint16Array, length: number, hashes: Int32Array): number {
  let hash = empty;
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] as number;
    const letter = letters[unit] as number;
    /** All bits where a word may end here, and none elsewhere. */
    const ends = letter >> 31;
    hashes[count] = hash;
    count = (count - ends) | 0;
    hash = (Math.imul(hash ^ letter, factors[unit] as number) + (empty & ends)) | 0;
  }
  hashes[count] = hash;
  return count + 1;
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
