/** Characters of an argument that are looked at. */
const maxCharacters = 8_192;
/** A shorter token says little about where it comes from. */
const minLength = 32;
const maxLength = 4_096;

const candidate = /[A-Za-z0-9+/_=-]{32,4096}/g;
const hexOnly = /^[0-9A-Fa-f-]+$/;

/**
 * Bits per character over which a token counts as random, by its alphabet: hexadecimal cannot pass
 * 4 bits nor base64 6, so one threshold for all would miss the one or hit every word of the other.
 */
const hexThreshold = 3;
const mixedThreshold = 4.3;

/** Counts the long tokens of a text whose characters are spread like those of keys and ciphertexts. */
export function countRandomTokens(text: string): number {
  if (text.length < minLength) return 0;
  // Pictures and files say themselves that they are data.
  if (text.startsWith('data:')) return 0;
  let count = 0;
  for (const [token] of text.slice(0, maxCharacters).matchAll(candidate)) {
    const threshold = hexOnly.test(token) ? hexThreshold : mixedThreshold;
    if (token.length <= maxLength && entropyOf(token) > threshold) count += 1;
  }
  return count;
}

const counts = new Uint16Array(128);

/** Shannon entropy in bits per character, of ASCII. */
export function entropyOf(text: string): number {
  counts.fill(0);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index) & 127;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) {
    if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  }
  return bits;
}
