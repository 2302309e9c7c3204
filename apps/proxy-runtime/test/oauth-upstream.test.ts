import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { createKeyWatch, type KeyWatch } from '@portcullis/platform/oauth-upstream/key-watch';
import { createTokenIntrospector } from '@portcullis/platform/oauth-upstream/token-introspector';
import { createProviderClients, type ProviderClients } from '@portcullis/platform/oauth/provider-clients';
import { providerAt } from '@portcullis/platform/test/oauth-providers';
import { silentLog } from '@portcullis/platform/test/test-database';
import { startTokenIssuerPeer, type TokenIssuerPeer } from '@portcullis/testkit/identity-providers/token-issuer-peer';
import { startMcpPeer, type McpPeer } from '@portcullis/testkit/mcp-peer';
import { identityName } from '../src/snapshot/compile-oauth.ts';
import type { LoginUser, OAuthEntry, Snapshot, UpstreamEntry } from '../src/snapshot/snapshot.ts';
import { goodKey, startProxy, type RunningProxy, type StartOptions } from './start-proxy.ts';

const issuer = 'https://mcp.example.com:9001';
const audience = 'https://mcp.example';
const ada: LoginUser = {
  id: 11,
  username: 'ada',
  email: 'ada@example.com',
  role: 'user',
  active: true,
  mustChangePassword: true,
};

describe('tokens of a provider on a proxy in upstream mode', () => {
  let target: McpPeer;
  let peer: TokenIssuerPeer;
  let clients: ProviderClients;
  let keys: KeyWatch;
  beforeAll(async () => {
    [target, peer] = await Promise.all([startMcpPeer(), startTokenIssuerPeer()]);
    clients = createProviderClients(parseConfigOrThrow({}));
    keys = createKeyWatch({ clients, log: silentLog, providers: () => [provider()] });
  });
  beforeEach(async () => {
    target.forget();
    await peer.up();
  });
  afterAll(async () => {
    await keys[Symbol.asyncDispose]();
    await clients[Symbol.asyncDispose]();
    await Promise.all([target[Symbol.asyncDispose](), peer[Symbol.asyncDispose]()]);
  });

  let known: ReturnType<typeof providerAt> | undefined;
  const provider = () => (known ??= providerAt(peer.issuer));
  const oauthOf = (upstream: Partial<UpstreamEntry> = {}): OAuthEntry => ({
    mode: 'upstream',
    issuer,
    scopes: [],
    upstream: { providerId: 3, issuer, audiences: new Set([audience]), tokenCheck: 'auto', ...upstream },
  });
  const snapshot = (user: Partial<LoginUser> = {}): Pick<Snapshot, 'logins' | 'oauth'> => ({
    logins: {
      sessions: new Map(),
      users: new Map([[ada.id, { ...ada, ...user }]]),
      groups: new Map([[ada.id, new Map([[1, true as const]])]]),
    },
    oauth: {
      keys: new Map(),
      grants: new Map(),
      providers: new Map([[3, { ...provider(), statedIssuer: peer.issuer }]]),
      identities: new Map([[identityName(provider().key, peer.issuer, 'ada'), ada.id]]),
    },
  });
  const start = ({ oauth, ...options }: Partial<StartOptions> & { oauth?: Partial<UpstreamEntry> } = {}) =>
    startProxy({
      target: target.url,
      ...options,
      providerTokens: { keys, questions: createTokenIntrospector(clients) },
      proxy: { type: 'mcp', oauth: oauthOf(oauth), ...options.proxy },
      snapshot: { ...snapshot(), ...options.snapshot },
    });
  const ping = (proxy: RunningProxy, headers: Readonly<Record<string, string>>) =>
    fetch(`${proxy.origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const lastHeaders = () => target.requests.at(-1)?.headers;

  test('go on to the target as they came, and count for the group of their user', async () => {
    await using proxy = await start();
    for (const token of [peer.sign(), peer.issue()]) {
      expect((await ping(proxy, bearer(token))).status).toBe(200);
      expect(lastHeaders()).toMatchObject({ authorization: `Bearer ${token}` });
    }
    const log = proxy.spool.records.find(({ kind }) => kind === 'request_log');
    expect(log).toMatchObject({ api_key_id: null, user_group_id: 1 });
  });

  test('are checked with nothing but what is known, once the keys are', async () => {
    await using proxy = await start();
    expect((await ping(proxy, bearer(peer.sign()))).status).toBe(200);
    await peer.down();
    expect((await ping(proxy, bearer(peer.sign()))).status).toBe(200);
    // One that says nothing must be asked about, and nobody answers: that is no reason to sign in anew.
    const answer = await ping(proxy, bearer('opaque'));
    expect([answer.status, answer.headers.get('www-authenticate'), answer.headers.get('retry-after')]).toEqual([
      503,
      null,
      '5',
    ]);
  });

  test('leave room for keys, which no provider is asked about', async () => {
    await using proxy = await start();
    const before = peer.requests.length;
    expect((await ping(proxy, bearer(goodKey))).status).toBe(200);
    expect((await ping(proxy, { 'x-api-key': goodKey, ...bearer('for the target') })).status).toBe(200);
    expect(lastHeaders()).toMatchObject({ authorization: 'Bearer for the target' });
    expect(peer.requests.length).toBe(before);
  });

  test.each<[string, () => string]>([
    ['for someone else', () => peer.sign({ aud: 'https://elsewhere.example' })],
    ['for nobody', () => peer.sign({ aud: undefined })],
    ['for an audience that begins alike', () => peer.sign({ aud: `${audience}.evil.example` })],
    ['that has ended', () => peer.sign({ exp: 1_000 })],
    ['of a user who never came here', () => peer.sign({ sub: 'eve' })],
    ['that is an id token', () => peer.sign({ nonce: 'n' })],
    ['that says nothing, for someone else', () => peer.issue({ aud: 'https://elsewhere.example' })],
    ['that says nothing, for nobody', () => peer.issue({ aud: undefined, client_id: undefined })],
    ['that says nothing, of another issuer', () => peer.issue({ iss: 'https://elsewhere.example' })],
    ['that the provider does not know', () => 'made-up'],
  ])('are refused where they are one %s', async (_, token) => {
    await using proxy = await start();
    const answer = await ping(proxy, bearer(token()));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`,
    );
    expect(target.requests).toHaveLength(0);
  });

  test('count as long as the provider is there, calls the user so, and they may come', async () => {
    await using proxy = await start();
    const token = peer.sign();
    const status = async () => (await ping(proxy, bearer(token))).status;
    expect(await status()).toBe(200);
    proxy.change(({ oauth, ...rest }) => ({ ...rest, oauth: { ...oauth, identities: new Map() } }));
    expect(await status()).toBe(401);
    proxy.change(() => snapshot({ active: false }));
    expect(await status()).toBe(401);
    proxy.change(() => snapshot());
    expect(await status()).toBe(200);
    proxy.change(({ oauth, ...rest }) => ({ ...rest, oauth: { ...oauth, providers: new Map() } }));
    expect(await status()).toBe(503);
  });

  test('are asked about alone where an admin wants that, and for their user alone only where they say so', async () => {
    await using asking = await start({ oauth: { tokenCheck: 'introspection' } });
    expect((await ping(asking, bearer(peer.sign()))).status).toBe(401);
    expect((await ping(asking, bearer(peer.issue()))).status).toBe(200);
    await using trusting = await start({ oauth: { tokenCheck: 'userinfo' } });
    expect((await ping(trusting, bearer(peer.issue({ aud: 'https://elsewhere.example' })))).status).toBe(200);
    expect((await ping(trusting, bearer('made-up'))).status).toBe(401);
  });

  test('are for the proxy itself, or what is below it, where an admin names nobody else', async () => {
    await using proxy = await start({ oauth: { audiences: new Set() } });
    for (const aud of [issuer, `${issuer}/mcp`, ['other', issuer]]) {
      expect((await ping(proxy, bearer(peer.sign({ aud })))).status).toBe(200);
    }
    for (const aud of [audience, `${issuer}1/mcp`, 'https://mcp.example.com']) {
      expect((await ping(proxy, bearer(peer.sign({ aud })))).status).toBe(401);
    }
  });

  test('are asked for at the provider, to which the proxy sends its clients', async () => {
    await using proxy = await start();
    const read = (path: string) => fetch(`${proxy.origin}/.well-known/${path}`);
    expect(await (await read('oauth-protected-resource/mcp')).json()).toEqual({
      resource: `${issuer}/mcp`,
      authorization_servers: [peer.issuer],
      bearer_methods_supported: ['header'],
    });
    expect((await read('oauth-authorization-server')).status).toBe(404);
    expect((await read('jwks.json')).status).toBe(404);
  });

  test('of a provider count nowhere else', async () => {
    await using gateway = await start({ proxy: { oauth: { ...oauthOf(), mode: 'gateway', upstream: undefined } } });
    expect((await ping(gateway, bearer(peer.sign()))).status).toBe(401);
    await using plain = await start({ proxy: { oauth: undefined } });
    expect((await ping(plain, bearer(peer.sign()))).status).toBe(401);
    expect(target.requests).toHaveLength(0);
  });
});
