import type { OAuthProviderType } from '@portcullis/contracts/oauth-provider-types';
import type { Secret } from '../config/secret.ts';

/** Where a provider is asked: discovered from its issuer, or the three addresses of plain OAuth 2. */
export type ProviderAddresses =
  | { readonly kind: 'issuer'; readonly issuer: URL }
  | {
      readonly kind: 'plain';
      readonly authorization: URL;
      readonly token: URL;
      readonly userinfo: URL;
      /** Of those that sign its id tokens, which are not read where nobody said it. */
      readonly keys?: URL;
    };

/** An identity provider, ready to be asked. Never log it: the secret in it can be revealed. */
export interface OAuthProvider {
  /** Names it for good: its id, or `env:google` for one of the environment. */
  readonly key: string;
  /** Of its row; undefined for one of the environment. */
  readonly id: number | undefined;
  readonly name: string;
  readonly type: OAuthProviderType;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: Secret | undefined;
  readonly addresses: ProviderAddresses;
  readonly scopes: readonly string[];
  /** Where it sends browsers back to for a sign-in; undefined while the gateway does not know its own address. */
  readonly callback: URL | undefined;
  /** Entra tenants whose users may come, where the issuer is that of many. */
  readonly tenants: readonly string[];
  readonly trustsEmail: boolean;
  /** Whether an address that it verified signs in as the viewer, operator or admin whose address it is. */
  readonly linksManagementUsers: boolean;
  /** Whether users sign in to the gateway with it. */
  readonly signIn: boolean;
  readonly enabled: boolean;
  /** Another one as soon as anything changes about how it is asked. */
  readonly version: string;
}

/** Issuers of Entra that speak for every tenant. */
export const isOfManyTenants = ({ pathname }: URL): boolean =>
  /^\/(?:common|organizations|consumers)(?:\/|$)/i.test(pathname);
