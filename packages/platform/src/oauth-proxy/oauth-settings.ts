import type { TokenRule } from '../oauth-upstream/token-rule.ts';
import { proxyOriginOf } from './proxy-addresses.ts';
import { defaultProxySettings, type CompleteProxySettings } from '@portcullis/contracts/proxy-settings';

/** What of a proxy's settings says how its OAuth proxy works. */
export interface OAuthProxySettings {
  readonly mode: CompleteProxySettings['oauth_proxy_mode'];
  /** The proxy's origin, as `URL` writes it. */
  readonly issuer: string;
  readonly providerId: number;
  readonly scopes: readonly string[];
  readonly redirectPatterns: readonly string[];
  readonly tokenLifetimeS: number | null;
  readonly requiresConsent: boolean;
  readonly trustedClients: readonly string[];
  /** What the provider calls the target; undefined where the scopes say it. */
  readonly resource: string | undefined;
  readonly authorizationServer: CompleteProxySettings['oauth_proxy_authorization_server'];
  /** For whom a token of the provider must be issued; empty: for the issuer, or what is below it. */
  readonly audiences: readonly string[];
  readonly tokenCheck: CompleteProxySettings['oauth_proxy_token_check'];
}

/** Which tokens of its provider a proxy forwards in upstream mode. */
export const tokenRuleOf = ({ issuer, audiences, tokenCheck }: OAuthProxySettings): TokenRule => ({
  issuer,
  audiences: new Set(audiences),
  tokenCheck,
});

/** What of a proxy its OAuth proxy is read from. */
export interface OAuthProxied {
  readonly type: string;
  readonly port: number;
  /** The column `proxies.settings`, which passed the schema when it was written. */
  readonly settings: unknown;
}

/**
 * The OAuth proxy of a proxy; undefined where it has none.
 * @param base where the management port is reached; see `publicBaseOf`
 */
export function readOAuthSettings(
  { type, port, settings: stored }: OAuthProxied,
  base: string | undefined,
): OAuthProxySettings | undefined {
  const settings = { ...defaultProxySettings, ...Object(stored) } as CompleteProxySettings;
  const { oauth_proxy_provider_id: providerId } = settings;
  const url = settings.oauth_proxy_url ?? (base === undefined ? null : proxyOriginOf(base, port));
  if (type !== 'mcp' || !settings.oauth_proxy_enabled || url === null || providerId === null) return undefined;
  if (!URL.canParse(url)) return undefined;
  const { origin: issuer } = new URL(url);
  const { oauth_proxy_resource: resource, oauth_proxy_audiences: audiences } = settings;
  return {
    mode: settings.oauth_proxy_mode,
    issuer,
    resource: resource ?? undefined,
    authorizationServer: settings.oauth_proxy_authorization_server,
    audiences: audiences.length > 0 ? audiences : [resource ?? []].flat(),
    tokenCheck: settings.oauth_proxy_token_check,
    providerId,
    scopes: settings.oauth_proxy_scopes,
    redirectPatterns: settings.oauth_proxy_allowed_redirect_uris,
    tokenLifetimeS: settings.oauth_proxy_token_lifetime,
    requiresConsent: settings.oauth_proxy_require_consent,
    trustedClients: settings.oauth_proxy_trusted_clients,
  };
}
