import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser } from '@portcullis/testkit/browser';
import type { IdentityProviderPeer } from '@portcullis/testkit/identity-providers/identity-provider-peer';
import { startOpenIdPeer } from '@portcullis/testkit/identity-providers/open-id-peer';
import { startMcpPeer, type McpPeer } from '@portcullis/testkit/mcp-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { connectWithOAuth } from './client-of-provider.ts';
import { enableTools, setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, ways } from './start-gateway.ts';

describe.each(ways)('an MCP proxy that forwards the tokens of a provider, %s', (way) => {
  let gateway: TestGateway;
  let target: McpPeer;
  let provider: IdentityProviderPeer;
  let proxy: ReadyProxy;
  let providerId: number;

  beforeAll(async () => {
    target = await startMcpPeer();
    gateway = await startGateway(way);
    const callback = `${gateway.url}/api/v1/oauth/callback`;
    provider = await startOpenIdPeer({ redirectUris: [callback] }, 'registering');
    const { admin } = gateway;
    proxy = await setUpProxy(admin, target.url, { type: 'mcp' });
    await enableTools(admin, proxy.id);
    ({ id: providerId } = await admin.expect<{ id: number }>('POST', '/oauth/providers', {
      name: 'Staff',
      provider_type: 'custom',
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      issuer: provider.issuer,
      redirect_uri: callback,
    }));
    await admin.expect('PUT', `/proxies/${proxy.id}`, {
      settings: {
        oauth_proxy_enabled: true,
        oauth_proxy_mode: 'upstream',
        oauth_proxy_authorization_server: 'provider',
        oauth_proxy_provider_id: providerId,
        oauth_proxy_url: proxy.url,
        oauth_proxy_scopes: ['tools'],
      },
    });
    await admin.expect('POST', '/oauth/rules', {
      rule_type: 'email_domain',
      rule_value: 'example.com',
      provider_id: providerId,
      user_group_id: proxy.groupId,
    });
    await admin.expect('POST', `/proxies/${proxy.id}/start`);
  });

  afterAll(async () => {
    await provider?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
  });

  const ping = async (token: string): Promise<number> => {
    const response = await fetch(`${proxy.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    await response.text();
    return response.status;
  };

  test('is used by the official client as it is, until the user may not come any more', async () => {
    const { admin } = gateway;
    // Who has never come to the gateway is nobody here, whatever the provider says.
    const { auth: unknown } = await connectWithOAuth(`${proxy.url}/mcp`).catch((error: unknown) => {
      expect(String(error)).toMatch(/unauthorized|401/i);
      return { auth: undefined };
    });
    expect(unknown).toBeUndefined();

    const { auth_url: url } = await admin.expect<{ auth_url: string }>('POST', `/oauth/authorize/${providerId}`);
    const browser = new Browser();
    const back = await browser.followTo(url, ({ pathname }) => pathname === '/api/v1/oauth/callback');
    expect((await browser.open(back)).status).toBe(200);

    const { client, auth } = await connectWithOAuth(`${proxy.url}/mcp`, browser);
    const token = auth.tokens()?.access_token ?? '';
    expect(auth.sentTo?.origin).toBe(new URL(provider.issuer).origin);
    expect(auth.sentTo?.searchParams.get('resource')).toBe(`${proxy.url}/mcp`);
    target.forget();
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(target.requests.map(({ headers }) => headers.authorization)).toContain(`Bearer ${token}`);
    await client.close();

    // Keys go on working on the same port.
    const keyed = await fetch(`${proxy.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-api-key': proxy.key,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    await keyed.text();
    expect(keyed.status).toBe(200);

    const { users } = await admin.expect<{ users: readonly { id: number }[] }>('GET', '/oauth/users');
    await admin.expect('DELETE', `/oauth/users/${users[0]?.id}`);
    await waitFor(async () => (await ping(token)) === 401, { what: 'the proxy to refuse the token' });
    await admin.expect('POST', `/oauth/users/${users[0]?.id}/activate`);
    await waitFor(async () => (await ping(token)) === 200, { what: 'the proxy to take the token again' });
    // The provider is needed for none of this.
    await provider[Symbol.asyncDispose]();
    expect(await ping(token)).toBe(200);
    await admin.expect('PUT', `/oauth/providers/${providerId}`, { enabled: false });
    await waitFor(async () => (await ping(token)) === 503, { what: 'the proxy to have no provider' });
  });
});
