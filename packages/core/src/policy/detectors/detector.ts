import type { PolicyPattern } from '@portcullis/contracts/policy-file';

/** How much of the text around a match `validate` and exceptions get to see, in UTF-16 units. */
export const around = { before: 64, after: 48 } as const;

/** Finds places by patterns, which join the one automaton, and weighs each match by code. */
export interface PatternDetector {
  readonly kind: 'pattern';
  /** How rules name it, for example `payment-card`. */
  readonly name: string;
  /** The word in placeholders: EMAIL, PAYMENT_CARD. Capitals, digits and underscores. */
  readonly type: string;
  readonly description: string;
  readonly patterns: readonly PolicyPattern[];
  /**
   * How sure it is that the match is one, from 0 to 1; undefined when it is none. Called once for each
   * match, so it must be pure and take time linear in what it is given: `before` and `after` are at
   * most as long as `around` says.
   */
  validate(match: string, before: string, after: string, confirm?: Confirm): number | undefined;
  /**
   * What takes long to find out about a match by itself, for `validate` to ask. The scan keeps the answers for
   * matches that come again, and takes a match for confirmed in a text that has had very many different ones.
   */
  readonly confirm?: Confirm;
}

/** Whether a match can be what it looks like. */
export type Confirm = (match: string) => boolean;

/** Weighs a text as a whole. */
export interface TextDetector {
  readonly kind: 'text';
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /**
   * From 0 to 1. The text is normalised: look-alikes folded, invisible characters gone. Must be pure,
   * deterministic and linear in the text, which the caller bounds. Scores below `least` do not matter:
   * a text that cannot come to it may get any lower one.
   */
  score(text: string, least?: number): number;
}

/** Tells of what normalising took out of a text: characters that a reader does not see. */
export interface HiddenDetector {
  readonly kind: 'hidden';
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

export type Detector = PatternDetector | TextDetector | HiddenDetector;
