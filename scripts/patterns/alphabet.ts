import type { CharSet } from '../../packages/core/src/policy/pattern/char-set.ts';
import { charSet, wordChars } from '../../packages/core/src/policy/pattern/char-set.ts';

/** What stands where a text has no character: before its first and behind its last. */
export const textStart = -1;
export const textEnd = -2;

const lineEnds: CharSet = charSet([0x0a, 0x0d, 0x2028, 0x2029].map((unit) => [unit, unit]));

/**
 * The characters of a text as a pattern tells them apart: those that are in the same of its sets are one symbol.
 * Two sets more are those that edges ask for.
 */
export class Alphabet {
  /** One character of each symbol, one that can be read where there is such a one. */
  readonly examples: readonly string[];
  readonly #symbolsOf = new Map<CharSet, ReadonlySet<number>>();
  readonly #words: ReadonlySet<number>;
  readonly #lineEnds: ReadonlySet<number>;

  constructor(sets: ReadonlySet<CharSet>) {
    const all = [...sets, wordChars, lineEnds];
    const borders = new Set([0]);
    for (const [first, last] of all.flat()) borders.add(first).add(last + 1);
    const sorted = [...borders].filter((unit) => unit <= 0xffff).sort((a, b) => a - b);
    const symbols = new Map<string, { readonly number: number; units: number[] }>();
    const members = all.map(() => new Set<number>());
    const cursors = all.map(() => 0);
    for (const [index, unit] of sorted.entries()) {
      const inside = all.map((set, number) => {
        while ((set[cursors[number] ?? 0]?.[1] ?? Infinity) < unit) cursors[number] = (cursors[number] ?? 0) + 1;
        return (set[cursors[number] ?? 0]?.[0] ?? Infinity) <= unit;
      });
      const key = inside.map(Number).join('');
      const symbol = symbols.get(key) ?? { number: symbols.size, units: [] };
      symbols.set(key, symbol);
      for (let near = unit; near < (sorted[index + 1] ?? 0x10000) && near < unit + 0x60; near += 1)
        symbol.units.push(near);
      for (const [number, isIn] of inside.entries()) if (isIn) members[number]?.add(symbol.number);
    }
    this.examples = Array.from(symbols.values(), ({ units }) => exampleOf(units));
    for (const [number, set] of all.entries()) this.#symbolsOf.set(set, members[number] ?? new Set());
    this.#words = this.symbolsOf(wordChars);
    this.#lineEnds = this.symbolsOf(lineEnds);
  }

  symbolsOf(set: CharSet): ReadonlySet<number> {
    return this.#symbolsOf.get(set) ?? new Set();
  }

  isWord(symbol: number): boolean {
    return this.#words.has(symbol);
  }

  isLineEnd(symbol: number): boolean {
    return this.#lineEnds.has(symbol);
  }
}

/** The one among some characters that is read most easily. */
function exampleOf(units: readonly number[]): string {
  const readable = [/[a-z]/, /[A-Z0-9]/, /[!-~]/, /[ \t\n]/].flatMap(
    (kind) => units.find((unit) => kind.test(String.fromCharCode(unit))) ?? [],
  );
  return String.fromCharCode(readable[0] ?? units[0] ?? 0);
}
