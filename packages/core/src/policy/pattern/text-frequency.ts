import { vocabulary } from '../views/vocabulary.ts';

/** The characters of running English text, from the most frequent on; all others are rare. */
const frequent = ' etaoinshrdlcumwfgypbvk0';

/** Bits by unit: three for a frequent character, eight for a rare one; neighbouring letters tell of each other. */
const bitsOfUnit = Float64Array.from({ length: 128 }, (_, unit) => {
  const char = String.fromCharCode(unit).toLowerCase();
  const rank = frequent.indexOf(char);
  return rank < 0 ? (/[a-z]/.test(char) ? 6.4 : 8) : 0.8 * (3 + rank / 5);
});

/** By word: its place in a list that begins with the most frequent ones. */
const ranks: ReadonlyMap<string, number> = new Map([...vocabulary].map((word, rank) => [word, rank]));

const known = new Map<string, number>();
const maxKnown = 50_000;

/** How often a text, folded, stands in ordinary writing: per character, roughly, and rather too high than too low. */
export function frequencyOf(text: string): number {
  let frequency = known.get(text);
  if (frequency === undefined) {
    if (known.size >= maxKnown) known.clear();
    known.set(text, (frequency = estimate(text)));
  }
  return frequency;
}

function estimate(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) bits += bitsOfUnit[text.charCodeAt(at)] ?? 10;
  const rank = ranks.get(text.trim().toLowerCase());
  const common = rank === undefined ? Infinity : Math.log2(60 * (rank + 1));
  return 2 ** -Math.min(bits, common, 40);
}

/** The same for several texts together. */
export const frequencyOfAll = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + frequencyOf(text), 0);
