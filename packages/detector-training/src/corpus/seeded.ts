/** Choices that come out the same on every machine and in every run. */
export interface Dice {
  /** One of the entries. Throws on an empty list. */
  readonly pick: <T>(entries: readonly T[]) => T;
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  readonly digits: (count: number) => string;
  /** The text with each `{name}` in it filled by one of that name's entries, which may hold names themselves. */
  readonly fill: (text: string, words: Words) => string;
}

export type Words = Readonly<Record<string, readonly string[]>>;

/** The generator mulberry32: small, and good enough for choosing words. */
export function seeded(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(entries: readonly T[]): T => {
    const entry = entries[between(0, entries.length - 1)];
    if (entry === undefined) throw new Error('nothing to pick from');
    return entry;
  };
  const fill = (text: string, words: Words): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const entries = words[name];
      return entries === undefined ? whole : fill(pick(entries), words);
    });
  const digits = (count: number): string => Array.from({ length: count }, () => between(0, 9)).join('');
  return { pick, between, digits, fill };
}
