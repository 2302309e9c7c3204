/**
 * What tells in one language whether a request was turned down. Each entry is an alternative of a regular expression over folded
 * text in lower case: straight quotes, single blanks, no emphasis. Gaps are bounded, so that reading is linear.
 */
export interface Phrasebook {
  readonly language: string;
  /** The speaker turns the request down. */
  readonly refuses: readonly string[];
  /** So some turn a request down, and so do instructions, stories and warnings speak of their subject: "keep it secret". */
  readonly hints?: readonly string[] | undefined;
  /** Sounds like a refusal and is none: "I can't recommend it enough". */
  readonly except?: readonly string[] | undefined;
  /** After a refusal or a warning: the request is met all the same. */
  readonly pivots: readonly string[];
  /** The request is met: the opening of an answer that does it. */
  readonly opens: readonly string[];
  /** Something other is offered: help, a legal way, protection. */
  readonly redirects: readonly string[];
  /** The premise is put right, or it is said that the thing is not known. */
  readonly corrects: readonly string[];
}
