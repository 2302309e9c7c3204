/** Places for words, a power of two. */
const places = 2_048;

/**
 * Short texts in which nothing was found, in the order of their last use where two share their places. Not a
 * set: V8 enters each text that a set is asked for into its table of all names first, and most texts come once.
 */
export class CleanWordCache {
  readonly #words = Array.from<string | undefined>({ length: places });

  has(text: string): boolean {
    const words = this.#words;
    const place = placeOf(text);
    if (words[place] === text) return true;
    if (words[place + 1] !== text) return false;
    words[place + 1] = words[place];
    words[place] = text;
    return true;
  }

  /** Adds what is not there yet, for which the elder of two goes. */
  add(text: string): void {
    const words = this.#words;
    const place = placeOf(text);
    words[place + 1] = words[place];
    words[place] = text;
  }
}

/** The first of two places: an attacker who knows how to fill them makes some scans longer, and nothing else. */
function placeOf(text: string): number {
  const step = 1 + (text.length >> 4);
  let hash = text.length;
  for (let index = text.length - 1; index >= 0; index -= step) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return ((hash ^ (hash >>> 15)) << 1) & (places - 1);
}
