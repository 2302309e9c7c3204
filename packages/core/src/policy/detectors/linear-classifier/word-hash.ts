/** The hash of no letters, and what each letter multiplies it by (FNV-1a). */
export const emptyHash = 0x811c_9dc5 | 0;
const prime = 0x0100_0193;
const digit = 0x30;
const apostrophe = 0x27;

/** In small letters, digits as one and the same; 0 for what is no letter. */
function letterOf(unit: number): number {
  if (unit >= 128) return unit;
  const char = String.fromCharCode(unit);
  if (/[a-z]/i.test(char)) return unit | 0x20;
  return /\d/.test(char) ? digit : 0;
}

/** By unit: its letter, negative for what ends a word, and what the hash is multiplied by. An apostrophe changes nothing. */
const letters = new Int32Array(0x1_0000);
const factors = new Int32Array(0x1_0000);
for (let unit = 0; unit < letters.length; unit += 1) {
  const letter = letterOf(unit);
  letters[unit] = letter === 0 && unit !== apostrophe ? -1 : letter;
  factors[unit] = letter === 0 ? Number(unit === apostrophe) : prime;
}

/**
 * Writes the hash of each word of a text, with room for one more than there can be; answers how many there are. Where
 * words end no processor foresees, so nothing is decided by it: each hash is written down, and the next one over it
 * unless a word has ended.
 */
export function hashAllWords(units: Uint16Array, length: number, hashes: Int32Array): number {
  let hash = emptyHash;
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] as number;
    const letter = letters[unit] as number;
    /** All bits where a word may end here, and none elsewhere. */
    const ends = letter >> 31;
    const isWord = hash ^ emptyHash;
    hashes[count] = hash;
    count = (count + (ends & ((isWord | -isWord) >>> 31))) | 0;
    hash = (Math.imul(hash ^ letter, factors[unit] as number) + (emptyHash & ends)) | 0;
  }
  hashes[count] = hash;
  return hash === emptyHash ? count : count + 1;
}

/** What a word hashes to, without what is no letter of it. */
export function hashWord(word: string): number {
  let hash = emptyHash;
  for (let at = 0; at < word.length; at += 1) {
    const letter = letterOf(word.charCodeAt(at));
    if (letter !== 0) hash = Math.imul(hash ^ letter, prime);
  }
  return hash;
}
