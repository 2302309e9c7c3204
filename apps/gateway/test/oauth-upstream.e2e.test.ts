import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { Browser } from '@portcullis/testkit/browser';
import { decideConsent } from '@portcullis/testkit/consent';
import { entraTenant, startEntraPeer } from '@portcullis/testkit/identity-providers/entra-peer';
import { startGithubPeer } from '@portcullis/testkit/identity-providers/github-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createEditorStorage, redirectUrl } from './editor-storage.ts';
import { connectByMcpRemote } from './connect-by-mcp-remote.ts';
import { enableOAuth, startOAuthGateway, type OAuthGateway } from './start-oauth-gateway.ts';
import { enableTools, setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { waysFor } from './start-gateway.ts';

/** The imitation of Keycloak, as Keycloak itself, ignores `resource`, and issues its tokens for `account`. */
const upstream = { oauth_proxy_mode: 'upstream', oauth_proxy_audiences: ['account'] };

describe.each(waysFor('one process'))('the OAuth proxy in upstream mode, %s', (way) => {
  let world: OAuthGateway;
  beforeAll(async () => {
    world = await startOAuthGateway(way, {}, upstream);
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  const transport = (authProvider: OAuthClientProvider, url = world.url) =>
    new StreamableHTTPClientTransport(new URL(url), { authProvider });
  const signIn = async (storage: ReturnType<typeof createEditorStorage>, url = world.url): Promise<URL> => {
    const first = transport(storage, url);
    await expect(new Client({ name: 'editor', version: '1.0.0' }).connect(first)).rejects.toThrow('Unauthorized');
    const isBack = ({ href }: URL) => href.startsWith(redirectUrl);
    const back = await decideConsent(new Browser(), storage.kept.authorizationUrl ?? '', isBack);
    if (back.searchParams.has('code')) await first.finishAuth(back.searchParams);
    return back;
  };
  /** Another proxy in front of the same target, whose users sign in with this provider. */
  const openProxy = async (provider: object, settings: object): Promise<ReadyProxy> => {
    const { admin } = world.gateway;
    const { id } = await admin.expect<{ id: number }>('POST', '/oauth/providers', provider);
    const proxy = await setUpProxy(admin, world.target.url, { type: 'mcp' });
    await enableTools(admin, proxy.id);
    await admin.expect('POST', '/oauth/rules', {
      rule_type: 'email_domain',
      rule_value: 'example.com',
      provider_id: id,
      user_group_id: proxy.groupId,
    });
    await enableOAuth({ gateway: world.gateway, providerId: id }, proxy, { oauth_proxy_mode: 'upstream', ...settings });
    return proxy;
  };
  /** Signs in and calls a tool. @returns the token that the target got */
  const callWith = async (proxy: ReadyProxy): Promise<string> => {
    const url = `${proxy.url}/mcp`;
    const storage = createEditorStorage();
    await signIn(storage, url);
    const { access_token: token } = storage.kept.tokens as { access_token: string };
    const client = new Client({ name: 'editor', version: '1.0.0' });
    await client.connect(transport(storage, url));
    const { tools } = await client.listTools();
    await client.callTool({ name: tools[0]?.name ?? '', arguments: {} });
    expect(world.target.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    await client.close();
    return token;
  };
  /** Who called last by the request log of a proxy. */
  const latestUser = (id: number): Promise<string> =>
    waitFor(
      async () => {
        const path = `/proxies/${id}/logs?status=2xx`;
        const logs = await world.gateway.admin.expect<readonly { user_identity: string | null }[]>('GET', path);
        return logs[0]?.user_identity;
      },
      { what: 'the request log to tell the user' },
    );
  const ping = async (token: string): Promise<number> => {
    const response = await fetch(world.url, {
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

  test('the official client signs in, and the target gets the very token of the provider', async () => {
    const storage = createEditorStorage();
    await signIn(storage);
    const { access_token: token } = storage.kept.tokens as { access_token: string };
    const [, claims = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: world.provider.issuer,
      aud: 'account',
    });
    const client = new Client({ name: 'editor', version: '1.0.0' });
    await client.connect(transport(storage));
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    await client.callTool({ name: tools[0]?.name ?? '', arguments: {} });
    expect(world.target.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    await client.close();

    const { admin } = world.gateway;
    const { users } = await admin.expect<{ users: readonly { id: number }[] }>('GET', '/oauth/users');
    await admin.expect('DELETE', `/oauth/users/${users[0]?.id}`);
    await waitFor(async () => (await ping(token)) === 401, { what: 'the proxy to refuse the token' });
    await admin.expect('POST', `/oauth/users/${users[0]?.id}/activate`);
    await waitFor(async () => (await ping(token)) === 200, { what: 'the proxy to take the token again' });
  });

  test('mcp-remote signs in as well, as an editor starts it', async () => {
    await using client = await connectByMcpRemote(world.url);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    const [, claims = ''] = world.target.requests.at(-1)?.headers.authorization?.split('.') ?? [];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: world.provider.issuer });
  });

  test('signs in with Entra, whose token is for the API of the target and names its user otherwise', async () => {
    const redirectUris = [`${world.gateway.url}/api/v1/oauth-proxy/callback/2`];
    await using provider = await startEntraPeer({ redirectUris });
    const user = { email: 'eve@example.com', subject: 'eve at Entra' };
    provider.behave({ user, optionalClaims: true });
    const proxy = await openProxy(
      {
        name: 'Entra',
        provider_type: 'azure_ad',
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        issuer: provider.issuerOf(entraTenant),
      },
      { oauth_proxy_scopes: ['api://the-target/.default'], oauth_proxy_audiences: ['the-target'] },
    );
    const [, claims = ''] = (await callWith(proxy)).split('.');
    const expected = { aud: 'the-target', oid: user.subject, sub: `${user.subject} at api://the-target` };
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject(expected);
    expect(await latestUser(proxy.id)).toBe('eve@example.com');
  });

  test('signs in with GitHub, whose tokens say nothing', async () => {
    const redirectUris = [`${world.gateway.url}/api/v1/oauth-proxy/callback/3`];
    await using provider = await startGithubPeer({ redirectUris });
    provider.behave({ user: { email: 'gil@example.com' } });
    const { clientId, clientSecret, issuer } = provider;
    const own = { name: 'GitHub', provider_type: 'github', client_id: clientId, client_secret: clientSecret, issuer };
    const proxy = await openProxy(own, {});
    expect(await callWith(proxy)).toMatch(/^gho_/);
    expect(await latestUser(proxy.id)).toBe('gil@example.com');
  });

  test('a token that the proxy would not take is given to no client, which is told why', async () => {
    const { admin } = world.gateway;
    const { settings } = await admin.expect<{ settings: object }>('GET', `/proxies/${world.proxy.id}`);
    const other = { ...settings, oauth_proxy_audiences: ['https://target.example'] };
    await admin.expect('PUT', `/proxies/${world.proxy.id}`, { settings: other });
    const back = await signIn(createEditorStorage());
    expect(back.searchParams.get('error_description')).toContain('is for "account", not for this proxy');
  });
});
