import type { CharSet } from './char-set.ts';

/**
 * The syntax tree of a pattern, reduced to what analysis and translation need: characters are sets,
 * groups are gone, and the `i`, `s` and `m` flags have been worked into the sets and edges.
 */
export type Syntax = CharSyntax | SequenceSyntax | ChoiceSyntax | RepeatSyntax | EdgeSyntax | LookSyntax;

/** One character: a UTF-16 unit of `set`, or under the `u` flag a code point of `astral` (two units). */
export interface CharSyntax {
  readonly kind: 'char';
  readonly set: CharSet;
  /** Ranges of code points beyond the basic plane. */
  readonly astral: readonly (readonly [number, number])[];
}

export interface SequenceSyntax {
  readonly kind: 'sequence';
  readonly items: readonly Syntax[];
}

export interface ChoiceSyntax {
  readonly kind: 'choice';
  readonly branches: readonly Syntax[];
}

export interface RepeatSyntax {
  readonly kind: 'repeat';
  readonly body: Syntax;
  readonly min: number;
  /** Infinity when open. */
  readonly max: number;
  readonly greedy: boolean;
}

export interface EdgeSyntax {
  readonly kind: 'edge';
  readonly edge: 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word' | 'not-word';
}

export interface LookSyntax {
  readonly kind: 'look';
  readonly body: Syntax;
  readonly behind: boolean;
  readonly negated: boolean;
}
