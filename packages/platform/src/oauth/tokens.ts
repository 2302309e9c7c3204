/** What a provider gave for a code or a refresh token. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly idToken: string | undefined;
  /** Seconds; undefined where the provider does not say. */
  readonly expiresInS: number | undefined;
  /** As the provider spells it; undefined where it granted what was asked for. */
  readonly scope: string | undefined;
  /** Of the id token, once its signature, issuer, audience, nonce and times are right; undefined without one. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
}
