/** What the last characters of a token say of the others; false where they do not agree. */
export type Checksum = (token: string) => boolean;

/** A kind of token that is known by how it begins. */
export interface TokenRow {
  readonly vendor: string;
  readonly shape: string;
  readonly checksum?: Checksum;
}

/**
 * A kind of token that only its vendor's name gives away, which stands before it as in an assignment. Names are matched in any
 * letter case, with or without a sign where they have a space.
 */
export interface NamedTokenRow {
  readonly vendor: string;
  readonly names: readonly string[];
  readonly shapes: readonly string[];
}
