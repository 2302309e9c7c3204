import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  openVerificationKey,
  signAccessToken,
  type AccessTokenFacts,
} from '@portcullis/platform/oauth-proxy/access-tokens';
import { renderServerMetadata } from '@portcullis/platform/oauth-proxy/metadata';
import { addressesOf } from '@portcullis/platform/oauth-proxy/proxy-addresses';
import { createTokens } from '@portcullis/platform/identity/tokens';
import { startMcpPeer, type McpPeer } from '@portcullis/testkit/mcp-peer';
import { generateKeyPairSync, randomUUID, sign as signBytes, type KeyObject } from 'node:crypto';
import type { LoginUser, OAuthEntry, Snapshot } from '../src/snapshot/snapshot.ts';
import { explainSecret, goodKey, startProxy, type RunningProxy, type StartOptions } from './start-proxy.ts';

const issuer = 'https://mcp.example.com:9001';
const ada: LoginUser = {
  id: 11,
  username: 'ada',
  email: 'ada@example.com',
  role: 'user',
  active: true,
  mustChangePassword: true,
};
const makeKey = (kid: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    kid,
    key: privateKey,
    published: openVerificationKey(kid, Object.assign(publicKey.export({ format: 'jwk' }), { kid })),
  };
};
const [own, foreign] = [makeKey('one'), makeKey('one')];

const sign = (changes: Partial<AccessTokenFacts> = {}, key: { kid: string; key: KeyObject } = own): string =>
  signAccessToken(
    {
      issuer,
      userId: ada.id,
      clientId: 'gateway_1',
      grantId: 5,
      tokenId: randomUUID(),
      scope: 'read',
      issuedAtMs: Date.now(),
      expiresAtMs: Date.now() + 60_000,
      ...changes,
    },
    key,
  );

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token as an attacker writes it, with whatever stands in its header and claims. */
const forge = (header: object, change: object, key: KeyObject | undefined = own.key): string => {
  const claims: unknown = JSON.parse(Buffer.from(sign().split('.')[1] ?? '', 'base64url').toString());
  const text = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: 'one', ...header })}.${encode({ ...Object(claims), ...change })}`;
  const signature = signBytes('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
};

const noProviders = { providers: new Map(), identities: new Map() };

const oauthOf = (changes: Partial<OAuthEntry> = {}): OAuthEntry => ({
  mode: 'gateway',
  issuer,
  scopes: ['read', 'write'],
  serverMetadata: JSON.stringify(renderServerMetadata(addressesOf(7, issuer, 'https://gateway.example.com'), ['read'])),
  ...changes,
});

const snapshot = (grant: object = {}, user: Partial<LoginUser> = {}): Partial<Snapshot> => ({
  logins: {
    sessions: new Map(),
    users: new Map([[ada.id, { ...ada, ...user }]]),
    groups: new Map([[ada.id, new Map([[1, true as const]])]]),
  },
  oauth: {
    keys: new Map([['one', own.published]]),
    ...noProviders,
    grants: new Map([[5, { proxyId: 7, userId: ada.id, providerToken: () => 'token-of-the-provider', ...grant }]]),
  },
});

describe('a proxy with an authorization server', () => {
  let peer: McpPeer;
  beforeAll(async () => {
    peer = await startMcpPeer();
  });
  afterAll(async () => {
    await peer[Symbol.asyncDispose]();
  });
  beforeEach(() => peer.forget());

  const start = (options: Partial<StartOptions> = {}): Promise<RunningProxy> =>
    startProxy({
      target: peer.url,
      ...options,
      proxy: { type: 'mcp', oauth: oauthOf(), ...options.proxy },
      snapshot: { ...snapshot(), ...options.snapshot },
    });
  const ping = ({ origin }: RunningProxy, headers: Readonly<Record<string, string>>, path = '/mcp') =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const lastHeaders = () => peer.requests.at(-1)?.headers;

  test("takes its tokens, and sends the provider's to the target", async () => {
    await using proxy = await start();
    const token = sign();
    expect((await ping(proxy, bearer(token))).status).toBe(200);
    expect(lastHeaders()).toMatchObject({ authorization: 'Bearer token-of-the-provider' });
    expect(JSON.stringify(peer.requests)).not.toContain(token);
    const log = proxy.spool.records.find(({ kind }) => kind === 'request_log');
    expect(log).toMatchObject({ api_key_id: null, user_group_id: 1 });
  });

  test('goes on taking keys, with what an admin gave for the target', async () => {
    await using proxy = await start();
    expect((await ping(proxy, { 'x-api-key': goodKey })).status).toBe(200);
    expect((await ping(proxy, bearer(goodKey))).status).toBe(200);
    expect(lastHeaders()).not.toHaveProperty('authorization');
  });

  test("lets no token of its own through, whichever credential counts, but lets the target's", async () => {
    await using proxy = await start();
    const [token, session] = [
      sign(),
      createTokens(explainSecret).sign(
        { id: 1, username: 'a', email: 'a', role: 'user' },
        { sessionId: randomUUID(), tokenId: randomUUID() },
        Date.now(),
        Date.now() + 60_000,
      ),
    ];
    expect((await ping(proxy, { 'x-api-key': goodKey, ...bearer(token) })).status).toBe(200);
    expect(lastHeaders()).not.toHaveProperty('authorization');
    expect((await ping(proxy, { 'x-api-key': goodKey, ...bearer(session) })).status).toBe(200);
    expect(lastHeaders()).not.toHaveProperty('authorization');
    expect((await ping(proxy, { 'x-api-key': goodKey, ...bearer('token-of-the-target') })).status).toBe(200);
    expect(lastHeaders()).toMatchObject({ authorization: 'Bearer token-of-the-target' });
  });

  const otherUser = { logins: { sessions: new Map(), users: new Map(), groups: new Map() } };
  test.each<[string, () => string, Partial<Snapshot>]>([
    ['of another key', () => sign({}, foreign), {}],
    ['of a key that is not published', () => sign({}, { kid: 'two', key: own.key }), {}],
    ['for another proxy', () => sign({ issuer: 'https://mcp.example.com:9002' }), {}],
    ['of this issuer for another proxy', () => forge({}, { aud: 'https://mcp.example.com:9002' }), {}],
    ['of another issuer for this proxy', () => forge({}, { iss: 'https://mcp.example.com:9002' }), {}],
    ['that has ended', () => sign({ expiresAtMs: Date.now() - 1_000 }), {}],
    ['without an end', () => forge({}, { exp: undefined }), {}],
    ['without a grant', () => forge({}, { grant: undefined }), {}],
    ['of another kind', () => forge({ typ: 'JWT' }, {}), {}],
    [
      'that says none',
      () => `${encode({ alg: 'none', typ: 'at+jwt', kid: 'one' })}.${sign().split('.')[1]}.`.replace(/\.$/, '.AA'),
      {},
    ],
    ['signed with the published key as a secret', () => forge({ alg: 'HS256' }, {}), {}],
    [
      'whose grant was withdrawn',
      () => sign(),
      { oauth: { keys: new Map([['one', own.published]]), grants: new Map(), ...noProviders } },
    ],
    ['of a grant for another proxy', () => sign(), snapshot({ proxyId: 8 })],
    ['of a grant of another user', () => sign(), snapshot({ userId: 12 })],
    ['of a user who is gone', () => sign(), otherUser],
    ['of a user who may not come', () => sign(), snapshot({}, { active: false })],
    [
      'whose provider token cannot be opened',
      () => sign(),
      snapshot({
        providerToken: () => {
          throw new Error('sealed');
        },
      }),
    ],
  ])('refuses a token %s', async (_, token, changes) => {
    await using proxy = await start({ snapshot: changes });
    const answer = await ping(proxy, bearer(token()));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
    );
    expect(peer.requests).toHaveLength(0);
  });

  test('looks at the snapshot with each request, also for a token that it knows', async () => {
    await using proxy = await start();
    const token = sign();
    expect((await ping(proxy, bearer(token))).status).toBe(200);
    proxy.change(({ oauth, ...rest }) => ({ ...rest, oauth: { ...oauth, grants: new Map() } }));
    expect((await ping(proxy, bearer(token))).status).toBe(401);
    proxy.change((before) => ({ ...before, ...snapshot() }));
    expect((await ping(proxy, bearer(token))).status).toBe(200);
    proxy.change(({ oauth, ...rest }) => ({ ...rest, oauth: { ...oauth, keys: new Map() } }));
    expect((await ping(proxy, bearer(token))).status).toBe(401);
  });

  test('says to clients without a credential where they get one, for the path that they called', async () => {
    await using proxy = await start();
    const challengeOf = async (path: string) => (await ping(proxy, {}, path)).headers.get('www-authenticate');
    expect(await challengeOf('/mcp')).toBe(
      `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
    );
    expect(await challengeOf('/a"b')).not.toContain('a"b');
    expect((await ping(proxy, bearer('gw_wrong'))).headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('tells of itself and of its authorization server', async () => {
    await using proxy = await start();
    const read = async (path: string) => {
      const answer = await fetch(`${proxy.origin}/.well-known/${path}`);
      return {
        status: answer.status,
        cors: answer.headers.get('access-control-allow-origin'),
        body: await answer.json(),
      };
    };
    const resource = {
      authorization_servers: [issuer],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
    };
    const found = { status: 200, cors: '*' };
    expect(await read('oauth-protected-resource')).toEqual({ ...found, body: { resource: issuer, ...resource } });
    expect(await read('oauth-protected-resource/mcp')).toEqual({
      ...found,
      body: { resource: `${issuer}/mcp`, ...resource },
    });
    expect(await read('oauth-authorization-server')).toMatchObject({
      body: {
        issuer,
        authorization_endpoint: 'https://gateway.example.com/api/v1/oauth-proxy/7/authorize',
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      },
    });
    expect(await read('jwks.json')).toMatchObject({ body: { keys: [{ kid: 'one', crv: 'P-256' }] } });
    expect(JSON.stringify(await read('jwks.json'))).not.toContain('"d"');
    const preflight = await fetch(`${proxy.origin}/.well-known/oauth-protected-resource`, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'mcp-protocol-version',
    ]);
    expect((await fetch(`${proxy.origin}/.well-known/oauth-authorization-server`, { method: 'POST' })).status).toBe(
      405,
    );
    expect((await fetch(`${proxy.origin}/.well-known/oauth-protected-resource/a//b`)).status).toBe(404);
    expect(peer.requests).toHaveLength(0);
  });

  test('a proxy that takes keys alone says nothing of all that', async () => {
    await using proxy = await start({ proxy: { oauth: undefined } });
    const answer = await ping(proxy, bearer(sign()));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="gateway"']);
    expect((await fetch(`${proxy.origin}/.well-known/oauth-protected-resource`)).status).toBe(404);
    expect((await fetch(`${proxy.origin}/health`)).status).toBe(200);
  });
});
