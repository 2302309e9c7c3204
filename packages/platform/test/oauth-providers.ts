import { oauthProviderTemplates, type OAuthProviderType } from '@portcullis/contracts/oauth-provider-types';
import { Secret } from '../src/config/secret.ts';
import type { OAuthProvider } from '../src/oauth/oauth-provider.ts';

let keys = 0;

/** A provider as the database would have it, at the issuer of a peer. */
export const providerAt = (
  issuer: string,
  type: OAuthProviderType = 'custom',
  more: Partial<OAuthProvider> = {},
): OAuthProvider => ({
  key: String((keys += 1)),
  id: keys,
  name: `Provider ${keys}`,
  type,
  clientId: 'gateway',
  clientSecret: new Secret('s3cret of the gateway'),
  addresses: { kind: 'issuer', issuer: new URL(issuer) },
  scopes: oauthProviderTemplates[type].scopes,
  callback: new URL('https://gateway.example/api/v1/oauth/callback'),
  tenants: [],
  trustsEmail: false,
  linksManagementUsers: false,
  signIn: true,
  enabled: true,
  version: 'one',
  ...more,
});
