import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { createTokens } from '@portcullis/platform/identity/tokens';
import {
  openVerificationKey,
  signAccessToken,
  type AccessTokenFacts,
} from '@portcullis/platform/oauth-proxy/access-tokens';
import { createKeyWatch } from '@portcullis/platform/oauth-upstream/key-watch';
import { createTokenIntrospector } from '@portcullis/platform/oauth-upstream/token-introspector';
import { createProviderClients } from '@portcullis/platform/oauth/provider-clients';
import { providerAt } from '@portcullis/platform/test/oauth-providers';
import { silentLog } from '@portcullis/platform/test/test-database';
import { startTokenIssuerPeer, type TokenIssuerPeer } from '@portcullis/testkit/identity-providers/token-issuer-peer';
import { startMcpPeer, type McpPeer } from '@portcullis/testkit/mcp-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { identityName } from '../src/snapshot/compile-oauth.ts';
import type { OAuthEntry, Snapshot } from '../src/snapshot/snapshot.ts';
import { explainSecret, goodKey, startProxy, type RunningProxy } from './start-proxy.ts';

// Tokens that are not good, on every kind of proxy, whatever becomes of the provider: none of them comes to a target.

const issuer = 'https://mcp.example.com:9001';
const audience = 'https://mcp.example';
const elsewhere = 'https://elsewhere.example';
const ada = {
  id: 11,
  username: 'ada',
  email: 'ada@example.com',
  role: 'user',
  active: true,
  mustChangePassword: true,
} as const;

const makeKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: 'one', key: privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'one' } };
};
const [own, foreign] = [makeKey(), makeKey()];
/** A token of the gateway's own. */
const issue = (changes: Partial<AccessTokenFacts> = {}, key = own): string =>
  signAccessToken(
    {
      issuer,
      userId: ada.id,
      clientId: 'gateway_1',
      grantId: 5,
      tokenId: randomUUID(),
      scope: '',
      issuedAtMs: Date.now(),
      expiresAtMs: Date.now() + 60_000,
      ...changes,
    },
    key,
  );

const upstream = (tokenCheck: 'auto' | 'introspection' | 'userinfo'): OAuthEntry => ({
  mode: 'upstream',
  issuer,
  scopes: [],
  upstream: { providerId: 3, issuer, audiences: new Set([audience]), tokenCheck },
});
const modes: Readonly<Record<string, OAuthEntry | undefined>> = {
  'with tokens of its own': { mode: 'gateway', issuer, scopes: [], serverMetadata: '{}' },
  "that checks its provider's signatures, and asks about the rest": upstream('auto'),
  'that asks its provider about tokens': upstream('introspection'),
  'that asks its provider for the user': upstream('userinfo'),
  'that takes keys alone': undefined,
};

let target: McpPeer;
let peer: TokenIssuerPeer;
let stranger: TokenIssuerPeer;
beforeAll(async () => {
  [target, peer, stranger] = await Promise.all([startMcpPeer(), startTokenIssuerPeer(), startTokenIssuerPeer()]);
});
beforeEach(async () => {
  await peer.up();
  target.forget();
  peer.forget();
});
afterAll(async () => {
  await Promise.all([target, peer, stranger].map((one) => one[Symbol.asyncDispose]()));
});

/** A proxy that knows nothing of the provider yet. */
async function start(oauth: OAuthEntry | undefined): Promise<Pick<RunningProxy, 'origin'> & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const provider = providerAt(peer.issuer);
  const clients = opened.use(createProviderClients(parseConfigOrThrow({})));
  const keys = opened.use(createKeyWatch({ clients, log: silentLog, providers: () => [provider] }));
  const snapshot: Pick<Snapshot, 'logins' | 'oauth'> = {
    logins: {
      sessions: new Map(),
      users: new Map([[ada.id, ada]]),
      groups: new Map([[ada.id, new Map([[1, true as const]])]]),
    },
    oauth: {
      keys: new Map([['one', openVerificationKey('one', own.jwk)]]),
      grants: new Map([[5, { proxyId: 7, userId: ada.id, providerToken: () => 'token-of-the-provider' }]]),
      providers: new Map([[3, { ...provider, statedIssuer: peer.issuer }]]),
      identities: new Map([[identityName(provider.key, peer.issuer, 'ada'), ada.id]]),
    },
  };
  const providerTokens = { keys, questions: createTokenIntrospector(clients) };
  const proxy = opened.use(
    await startProxy({ target: target.url, providerTokens, proxy: { type: 'mcp', oauth }, snapshot }),
  );
  const resources = opened.move();
  return { origin: proxy.origin, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

type Proxy = Awaited<ReturnType<typeof start>>;

const ping = async ({ origin }: Proxy, headers: Readonly<Record<string, string>>): Promise<number> => {
  const answer = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await answer.text();
  return answer.status;
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const part = (token: string, index: number): string => token.split('.')[index] ?? '';
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(part(token, 0), 'base64url').toString()) as Readonly<Record<string, unknown>>;
/** The same claims under a header that asks for less. */
const unsigned = (token: string, alg: string, signature: string): string =>
  `${encode({ ...headerOf(token), alg })}.${part(token, 1)}.${signature}`;
const ended = () => Math.floor(Date.now() / 1_000) - 3_600;

/** Those of every mode; what is good in one of them is bad in the others, and added there. */
function badTokens(oauth: OAuthEntry | undefined): readonly string[] {
  const check = oauth?.upstream?.tokenCheck;
  const good = peer.sign();
  const withOtherClaims = `${part(good, 0)}.${encode({ iss: peer.issuer, sub: 'ada', aud: audience, exp: 9_999_999_999 })}.${part(good, 2)}`;
  return [
    'made-up',
    'a.b.c',
    `gw_${'0'.repeat(40)}`,
    'x'.repeat(17_000),
    ...[good, issue()].flatMap((token) => [
      unsigned(token, 'none', ''),
      unsigned(token, 'none', 'AA'),
      unsigned(token, 'None', part(token, 2)),
      unsigned(token, 'HS256', part(token, 2)),
      `${part(token, 0)}.${part(token, 1)}.`,
    ]),
    withOtherClaims,
    peer.sign({ exp: ended() }),
    peer.issue({ exp: ended() }),
    peer.sign({ iss: elsewhere }),
    peer.sign({ aud: elsewhere }),
    peer.sign({ sub: 'eve' }),
    peer.issue({ sub: 'eve' }),
    peer.sign({ nonce: 'of an id token' }),
    stranger.sign(),
    stranger.sign({ iss: peer.issuer }, headerOf(good)),
    stranger.issue(),
    issue({ expiresAtMs: Date.now() - 1_000 }),
    issue({ issuer: 'https://mcp.example.com:9002' }),
    issue({ grantId: 6 }),
    issue({}, foreign),
    createTokens(explainSecret).sign(
      { id: ada.id, username: 'ada', email: ada.email, role: 'user' },
      { sessionId: randomUUID(), tokenId: randomUUID() },
      Date.now(),
      Date.now() + 60_000,
    ),
    ...(check === undefined ? [peer.issue()] : []),
    ...(check === 'auto' ? [] : [good]),
    ...(check === 'userinfo' ? [] : [peer.issue({ aud: elsewhere })]),
    ...(oauth?.mode === 'gateway' ? [] : [issue()]),
  ];
}
const goodTokens = (oauth: OAuthEntry | undefined): readonly string[] => {
  if (oauth === undefined) return [];
  if (oauth.mode === 'gateway') return [issue()];
  return oauth.upstream?.tokenCheck === 'auto' ? [peer.sign(), peer.issue()] : [peer.issue()];
};

const send = (proxy: Proxy, tokens: readonly string[]) =>
  Promise.all(tokens.map((token) => ping(proxy, bearer(token))));
const all = (tokens: readonly string[], status: number) => tokens.map(() => status);
/** With one of two statuses; answers the others. */
const unrefused = (statuses: readonly number[]) => statuses.filter((status) => status !== 401 && status !== 503);
/** What another party than the client got to see. */
const seenBy = ({ requests }: McpPeer | TokenIssuerPeer) =>
  JSON.stringify(requests.map(({ path, headers, body }) => [path, headers, body]));

describe.each(Object.entries(modes))('a proxy %s', (_, oauth) => {
  const asks = oauth?.mode === 'upstream';

  test('sends no bad token on while the provider answers, and every good one', async () => {
    await using proxy = await start(oauth);
    const [good, bad] = [goodTokens(oauth), badTokens(oauth)];
    expect(await send(proxy, bad)).toEqual(all(bad, 401));
    expect(target.requests).toHaveLength(0);
    expect(await send(proxy, good)).toEqual(all(good, 200));
    // Also by what is remembered of them.
    expect(await send(proxy, bad)).toEqual(all(bad, 401));
    expect(target.requests).toHaveLength(good.length);
  });

  test('sends none on while the provider is slow, nor afterwards', async () => {
    await using proxy = await start(oauth);
    const [good, bad] = [goodTokens(oauth), badTokens(oauth)];
    const release = peer.hold();
    const answers = { bad: send(proxy, bad), good: send(proxy, asks ? good : []) };
    if (asks) await waitFor(() => peer.requests.length > 0, { what: 'the provider to be asked' });
    else await answers.bad;
    expect(target.requests).toHaveLength(0);
    release();
    expect(await answers.bad).toEqual(all(bad, 401));
    expect(await answers.good).toEqual(asks ? all(good, 200) : []);
    expect(target.requests).toHaveLength(asks ? good.length : 0);
  });

  test('sends none on where the provider is away, or goes away while it is asked', async () => {
    await using proxy = await start(oauth);
    const [good, bad] = [goodTokens(oauth), badTokens(oauth)];
    const release = peer.hold();
    const answers = send(proxy, bad);
    if (asks) await waitFor(() => peer.requests.length > 0, { what: 'the provider to be asked' });
    await peer.down();
    release();
    expect(unrefused(await answers)).toEqual([]);
    expect(unrefused(await send(proxy, bad))).toEqual([]);
    // A good one of which nobody can tell that it is goes nowhere, either.
    expect(await send(proxy, good)).toEqual(all(good, asks ? 503 : 200));
    expect(target.requests).toHaveLength(asks ? 0 : good.length);
  });

  test('sends none on where the provider went away after it was known', async () => {
    await using proxy = await start(oauth);
    const [good, bad] = [goodTokens(oauth), badTokens(oauth)];
    expect(await send(proxy, good)).toEqual(all(good, 200));
    await peer.down();
    expect(unrefused(await send(proxy, bad))).toEqual([]);
    expect(target.requests).toHaveLength(good.length);
  });

  test('takes none from another place, nor in another scheme', async () => {
    await using proxy = await start(oauth);
    const token = peer.sign({ exp: ended() });
    const places = [
      { authorization: token },
      { authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` },
      { authorization: `DPoP ${token}` },
      { authorization: `Bearer ${token}, Bearer ${token}` },
      { authorization: `Bearer "${token}"` },
      { authorization: `bEARER   ${token}` },
      { authorization: `ApiKey ${token}` },
      { 'x-api-key': token },
      { 'x-api-key': '', ...bearer(token) },
      { 'x-session-token': token },
      { 'x-session-token': `Bearer ${token}` },
      { 'x-access-token': token },
      { cookie: `access_token=${token}` },
      { 'proxy-authorization': `Bearer ${token}` },
    ];
    expect(await Promise.all(places.map((headers) => ping(proxy, headers)))).toEqual(places.map(() => 401));
    expect(target.requests).toHaveLength(0);
  });

  test("tells nobody a token of the gateway's own: no target beside a good key, and no provider", async () => {
    await using proxy = await start(oauth);
    const login = createTokens(explainSecret).sign(
      { id: ada.id, username: 'ada', email: ada.email, role: 'user' },
      { sessionId: randomUUID(), tokenId: randomUUID() },
      Date.now(),
      Date.now() + 60_000,
    );
    const tokens = [issue(), issue({ issuer: 'https://mcp.example.com:9002' }), issue({ expiresAtMs: 1_000 }), login];
    for (const token of tokens) {
      await ping(proxy, bearer(token));
      expect(await ping(proxy, { 'x-api-key': goodKey, ...bearer(token) })).toBe(200);
      expect([seenBy(target).includes(token), seenBy(peer).includes(token)]).toEqual([false, false]);
    }
    expect(await ping(proxy, { 'x-api-key': goodKey, ...bearer('of-the-target') })).toBe(200);
    expect(seenBy(target)).toContain('of-the-target');
  });
});
