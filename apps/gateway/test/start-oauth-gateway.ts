import { findFreePort } from '@portcullis/testkit/free-port';
import type { IdentityProviderPeer } from '@portcullis/testkit/identity-providers/identity-provider-peer';
import { startOpenIdPeer } from '@portcullis/testkit/identity-providers/open-id-peer';
import { startMcpPeer, type McpPeer } from '@portcullis/testkit/mcp-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { enableTools, setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, type Way } from './start-gateway.ts';

/** A gateway with an MCP proxy that has an authorization server, and the provider with which its users sign in. */
export interface OAuthGateway extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly provider: IdentityProviderPeer;
  readonly providerId: number;
  readonly target: McpPeer;
  readonly proxy: ReadyProxy;
  /** Of its MCP endpoint. */
  readonly url: string;
}

/** Gives another proxy of it an authorization server of its own. */
export const enableOAuth = (
  { gateway, providerId }: Pick<OAuthGateway, 'gateway' | 'providerId'>,
  proxy: ReadyProxy,
  settings: object = {},
) =>
  gateway.admin.expect('PUT', `/proxies/${proxy.id}`, {
    settings: {
      oauth_proxy_enabled: true,
      oauth_proxy_mode: 'gateway',
      oauth_proxy_provider_id: providerId,
      oauth_proxy_url: proxy.url,
      ...settings,
    },
  });

/** @param options of the gateway @param settings of the proxy */
export async function startOAuthGateway(
  way: Way,
  options: Readonly<Record<string, string>> = {},
  settings: object = {},
): Promise<OAuthGateway> {
  await using opened = new AsyncDisposableStack();
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const target = opened.use(await startMcpPeer());
  const gateway = opened.use(await startGateway(way, { PORT: String(port), PUBLIC_URL: base, ...options }));
  // Providers are numbered, and this is the first.
  const redirectUris = [`${base}/api/v1/oauth-proxy/callback/1`];
  const provider = opened.use(await startOpenIdPeer({ redirectUris }, 'keycloak'));
  const { admin } = gateway;
  const { id: providerId } = await admin.expect<{ id: number }>('POST', '/oauth/providers', {
    name: 'Staff',
    provider_type: 'keycloak',
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    issuer: provider.issuer,
  });
  const proxy = await setUpProxy(admin, target.url, { type: 'mcp' });
  await enableTools(admin, proxy.id);
  await admin.expect('POST', '/oauth/rules', {
    rule_type: 'email_domain',
    rule_value: 'example.com',
    provider_id: providerId,
    user_group_id: proxy.groupId,
  });
  await enableOAuth({ gateway, providerId }, proxy, settings);
  const resources = opened.move();
  return {
    gateway,
    provider,
    providerId,
    target,
    proxy,
    url: `${proxy.url}/mcp`,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
