/** What an access token of a provider says, after all that can be checked without knowing the proxy. */
export interface TokenFacts {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined where the provider does not say. */
  readonly audiences: readonly string[] | undefined;
  readonly expiresAtMs: number;
}
