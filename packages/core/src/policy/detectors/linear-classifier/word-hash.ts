/** The hash of no letters, and what each letter multiplies it by (FNV-1a). */
const empty = 0x811c_9dc5;
const prime = 0x0100_0193;
const digit = 0x30;

/** What a word hashes to: in small letters, digits as one and the same, without what is neither. */
export function hashWord(word: string): number {
  let hash = empty;
  for (let at = 0; at < word.length; at += 1) {
    const letter = letterOf(word.charCodeAt(at));
    if (letter !== 0) hash = Math.imul(hash ^ letter, prime);
  }
  return hash | 0;
}

function letterOf(unit: number): number {
  if (unit >= 128) return unit;
  const char = String.fromCharCode(unit);
  if (/[a-z]/i.test(char)) return unit | 0x20;
  return /\d/.test(char) ? digit : 0;
}
