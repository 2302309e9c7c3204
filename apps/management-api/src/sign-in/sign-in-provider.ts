import type { Secret } from '@portcullis/platform/config/secret';
import type { GuardedFetch } from '@portcullis/platform/http/guarded-fetch';
import type { SignInTicket } from './sign-in-ticket.ts';

/** An identity provider that verifies users. */
export interface SignInProvider {
  readonly name: string;
  /** Where it sends the browser back to. */
  readonly callback: URL;
  /** Where to send the browser. @throws when the provider does not tell */
  authorizationUrl(ticket: SignInSecrets): Promise<URL>;
  /**
   * Exchanges what the browser brought back.
   * @returns the e-mail address that the provider has verified; undefined when it vouches for none
   * @throws what was wrong with the provider's answers
   */
  findVerifiedEmail(brought: URLSearchParams, ticket: SignInSecrets): Promise<string | undefined>;
}

export type SignInSecrets = Pick<SignInTicket, 'state' | 'nonce' | 'verifier'>;

/** What this gateway is at a provider. */
export interface ProviderAccess {
  readonly name: string;
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly callback: URL;
  readonly fetch: GuardedFetch['fetch'];
  /** Whether the provider may be spoken to without TLS. */
  readonly allowPlainHttp: boolean;
}
