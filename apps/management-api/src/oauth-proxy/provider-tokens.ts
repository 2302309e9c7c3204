import type { MoreParameters, ProviderClient } from '@portcullis/platform/oauth/provider-client';
import { resourceParameter } from '@portcullis/platform/oauth-upstream/resource-parameter';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import type { ProxyServer } from './proxy-server.ts';
import type { Tokens } from '@portcullis/platform/oauth/tokens';

/** What a provider gave, as it is kept. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Epoch milliseconds; null where the provider does not say. */
  readonly expiresAtMs: number | null;
}

/** @param former the refresh token until now: providers that do not rotate it send none with the next tokens */
export const keptTokens = (
  { accessToken, refreshToken, expiresInS }: Tokens,
  former: string | null = null,
): ProviderTokens => ({
  accessToken,
  refreshToken: refreshToken ?? former,
  expiresAtMs: expiresInS === undefined ? null : Date.now() + expiresInS * 1_000,
});

/** What a provider is told of the target, whose tokens are forwarded in upstream mode. */
export const targetOf = ({ settings }: ProxyServer, { type }: OAuthProvider): MoreParameters =>
  settings.mode === 'upstream' ? resourceParameter(type, settings.resource) : {};

/** What a provider has to be asked, beyond the scopes, to give a refresh token. */
export async function renewalOf({
  provider,
  server,
}: ProviderClient): Promise<{ readonly scopes: readonly string[]; readonly more: MoreParameters }> {
  const none = { scopes: [], more: {} };
  // Keycloak and GitLab give one unasked; GitHub's tokens last, or come with one.
  if (provider.addresses.kind !== 'issuer' || ['github', 'gitlab', 'keycloak'].includes(provider.type)) return none;
  if (provider.type === 'google') return { scopes: [], more: { access_type: 'offline', prompt: 'consent' } };
  if (['okta', 'auth0', 'azure_ad'].includes(provider.type)) return { scopes: ['offline_access'], more: {} };
  // What cannot be asked now is told when the browser is to be sent there.
  const known = await server().catch(() => undefined);
  const isKnown = known?.scopes_supported?.includes('offline_access') === true;
  // OpenID Connect, 11: without it the scope is to be ignored.
  return isKnown ? { scopes: ['offline_access'], more: { prompt: 'consent' } } : none;
}
