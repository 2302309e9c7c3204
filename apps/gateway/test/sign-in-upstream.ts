import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Browser } from '@portcullis/testkit/browser';
import { decideConsent } from '@portcullis/testkit/consent';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { createEditorStorage, redirectUrl } from './editor-storage.ts';
import { enableOAuth } from './start-oauth-gateway.ts';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';

interface Metadata {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint: string;
}

const read = async <Answer>(url: string | URL, init?: RequestInit): Promise<Answer> => {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${String(url)} answered ${response.status}`);
  return (await response.json()) as Answer;
};

/**
 * Does what an admin does for an MCP server that has an authorization server: looks up its addresses, registers the gateway there
 * as a client, and makes a proxy in upstream mode of both.
 * @param users answers an access token with its user, which the authorization server itself does not
 */
export async function openUpstream(gateway: TestGateway, server: string, users: string): Promise<ReadyProxy> {
  const { admin } = gateway;
  const { origin, pathname } = new URL(server);
  const protectedResource = `${origin}/.well-known/oauth-protected-resource${pathname}`;
  const { authorization_servers: issuers } = await read<{ authorization_servers: readonly string[] }>(
    protectedResource,
  );
  const metadata = await read<Metadata>(`${issuers[0]}/.well-known/oauth-authorization-server`);
  const registered = await read<{ client_id: string; client_secret?: string }>(metadata.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'The gateway',
      redirect_uris: [`${gateway.url}/api/v1/oauth-proxy/callback`],
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  });
  const { id: providerId } = await admin.expect<{ id: number }>('POST', '/oauth/providers', {
    name: `Of ${new URL(server).port}`,
    provider_type: 'custom',
    client_id: registered.client_id,
    ...(registered.client_secret !== undefined && { client_secret: registered.client_secret }),
    auth_url: metadata.authorization_endpoint,
    token_url: metadata.token_endpoint,
    userinfo_url: users,
    scopes: ['mcp'],
  });
  const proxy = await setUpProxy(admin, origin, { type: 'mcp' });
  await admin.expect('POST', '/oauth/rules', {
    rule_type: 'email_domain',
    rule_value: 'example.com',
    provider_id: providerId,
    user_group_id: proxy.groupId,
  });
  await enableOAuth({ gateway, providerId }, proxy, {
    oauth_proxy_mode: 'upstream',
    oauth_proxy_token_check: 'userinfo',
    oauth_proxy_resource: server,
  });
  return proxy;
}

/** The official client, with storage and nothing else: is refused, has its user sign in, and lists the tools. */
export async function connectUpstream(proxy: ReadyProxy): Promise<void> {
  const authProvider = createEditorStorage();
  const transport = () => new StreamableHTTPClientTransport(new URL(`${proxy.url}/mcp`), { authProvider });
  const client = () => new Client({ name: 'editor', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const first = transport();
  await client()
    .connect(first)
    .catch(() => undefined);
  const { authorizationUrl: address } = authProvider.kept;
  if (address === undefined) throw new Error('The client was not sent to sign in');
  const back = await decideConsent(new Browser(), address, ({ href }) => href.startsWith(redirectUrl));
  await first.finishAuth(back.searchParams);
  const signedIn = client();
  await signedIn.connect(transport());
  await signedIn.listTools();
  await signedIn.close();
}
