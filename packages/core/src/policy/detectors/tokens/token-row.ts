/** What the last characters of a token say of the others; false where they do not agree. */
export type Checksum = (token: string) => boolean;

/** A kind of token that is known by how it begins: who issues it, its shape, and its checksum where it has one. */
export type TokenRow = readonly [vendor: string, shape: string, checksum?: Checksum];

/**
 * A kind of token that only its vendor's name gives away, which stands before it as in an assignment. Names are matched in any
 * letter case, with or without a sign where they have a space.
 */
export type NamedTokenRow = readonly [vendor: string, names: readonly string[], ...shapes: readonly string[]];
