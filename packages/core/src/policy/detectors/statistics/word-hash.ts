/** The hash of no letters, and what each letter multiplies it by (FNV-1a). */
export const emptyHash = 0x811c_9dc5 | 0;
export const prime = 0x0100_0193;
const digit = 0x30;

/** By unit below 128: letters as small ones, digits as one and the same, all else 0. */
export const wordUnits = Uint8Array.from({ length: 128 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  if (/[a-z]/i.test(char)) return unit | 0x20;
  return /\d/.test(char) ? digit : 0;
});

/** The hash of a word as `hashWords` sees it, apostrophes and all. */
export function hashWord(word: string): number {
  let hash = emptyHash;
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at);
    const letter = unit < 128 ? (wordUnits[unit] as number) : unit;
    if (letter !== 0) hash = Math.imul(hash ^ letter, prime);
  }
  return hash;
}
