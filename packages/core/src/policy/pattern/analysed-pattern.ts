import type { CharSet } from './char-set.ts';
import type { LiteralSet } from './literals.ts';
import type { Syntax } from './syntax.ts';

/** Everything the compiler needs to know of one pattern. Lengths are UTF-16 units. */
export interface AnalysedPattern {
  /** What the native engine is given. */
  readonly source: string;
  readonly flags: string;
  readonly syntax: Syntax;
  /** Units that a match can begin with. */
  readonly first: CharSet;
  /** No match begins right behind a character of a word. */
  readonly startsWord: boolean;
  readonly maxLength: number;
  /** True when every match fits the native window. */
  readonly bounded: boolean;
  /** How far outside a match the pattern looks. */
  readonly left: number;
  readonly right: number;
  readonly literals: LiteralSet | undefined;
  /** Set where only the repetition that matches begin with is open. */
  readonly openLead: OpenLead | undefined;
  /** How many characters trying the pattern at one literal looks at. */
  readonly window: number;
  /** How many times a character looked at counts in the scan budget. */
  readonly weight: number;
  /** `native` when backtracking is proven to stay within `maxWeight`. */
  readonly engine: 'native' | 'linear';
}

/**
 * One character, repeated without bound, before something with a longest match. Where such a match can
 * begin, it can begin as well with any earlier one of these characters in a row: only the first has to be tried.
 */
export interface OpenLead {
  readonly set: CharSet;
  /** The longest that can stand behind it. */
  readonly rest: number;
  /** As `weight`, for an attempt at the first of the characters. */
  readonly weight: number;
}

/**
 * An analysis as plain data, for another thread or process of the same version: analysing takes a hundred times longer
 * than reading this. Without the syntax, which few patterns ever need again.
 */
export type StoredAnalysis = Omit<AnalysedPattern, 'syntax'>;
