import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { answer, startLoopbackPeer, type Peer } from '@portcullis/testkit/loopback-peer';
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { parseConfigOrThrow } from '../config/config.ts';
import { providerAt } from '../../test/oauth-providers.ts';
import { describeProviderProblem } from './describe-provider-problem.ts';
import { createProviderClients, type ProviderClients } from './provider-clients.ts';

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { privateKey, publicKey } = newKeys();
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' };
const callback = new URL('https://gateway.example/api/v1/oauth/callback');
const secrets = { state: 'of the browser', nonce: 'of the gateway', verifier: 'v'.repeat(43) };

let peer: Peer;
let clients: ProviderClients;
let idToken: unknown;
beforeAll(async () => {
  clients = createProviderClients(parseConfigOrThrow({}));
  peer = await startLoopbackPeer((request, response) => {
    const tokens = {
      access_token: 'access',
      token_type: 'Bearer',
      ...(idToken !== undefined && { id_token: idToken }),
    };
    const answers = new Map<string, unknown>([
      ['/token', tokens],
      ['/keys', { keys: [jwk] }],
      ['/user', { sub: 'ada', email: 'ada@example.com', email_verified: true }],
    ]);
    answer(response, answers.has(request.path) ? 200 : 404, answers.get(request.path) ?? {});
  });
});
afterAll(async () => {
  await clients[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const nowS = (): number => Math.floor(Date.now() / 1_000);
const claims = (more: object = {}) => ({
  iss: peer.url,
  aud: 'gateway',
  sub: 'ada',
  nonce: secrets.nonce,
  iat: nowS(),
  exp: nowS() + 300,
  ...more,
});

function signed(payload: object, key: KeyObject = privateKey): string {
  const content = `${encode({ alg: 'ES256', kid: 'one' })}.${encode(payload)}`;
  return `${content}.${sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** With what anyone can read in place of a secret. */
function signedWithPublicKey(payload: object): string {
  const content = `${encode({ alg: 'HS256', kid: 'one' })}.${encode(payload)}`;
  const secret = publicKey.export({ type: 'spki', format: 'pem' });
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

function clientOf({ keys = '/keys', scopes = ['openid', 'email'] } = {}) {
  const at = (path: string) => new URL(path, peer.url);
  const named = { authorization: at('/authorize'), token: at('/token'), userinfo: at('/user') };
  const addresses = { kind: 'plain', ...named, ...(keys !== '' && { keys: at(keys) }) } as const;
  return clients.of(providerAt(peer.url, 'custom', { addresses, scopes }));
}

async function signIn(token: unknown, client = clientOf()) {
  idToken = token;
  const brought = new URLSearchParams({ code: 'code', state: secrets.state, iss: peer.url });
  const tokens = await client.exchange({ brought, secrets, callback });
  return { tokens, identity: await client.identify(tokens) };
}

const problemOf = (token: unknown, client = clientOf()): Promise<string> =>
  signIn(token, client).then(() => 'nothing was refused', describeProviderProblem);

describe('a provider given by its addresses, with its keys', () => {
  test('signs its users in with an id token that holds, whose keys are read once', async () => {
    const client = clientOf();
    const before = peer.requests.length;
    for (let count = 0; count < 2; count += 1) {
      const { tokens, identity } = await signIn(signed(claims({ aud: ['gateway', 'other'], azp: 'gateway' })), client);
      expect(tokens.claims).toMatchObject({ sub: 'ada', iss: peer.url });
      expect(identity).toMatchObject({ subject: 'ada', email: 'ada@example.com', issuer: peer.url });
    }
    expect(peer.requests.slice(before).filter(({ path }) => path === '/keys')).toHaveLength(1);
  });

  test('is told our nonce, as the token must have it', async () => {
    const url = await clientOf().authorizationUrl({ secrets, callback });
    expect(url.searchParams.get('nonce')).toBe(secrets.nonce);
    const client = clientOf({ scopes: ['email'] });
    expect((await client.authorizationUrl({ secrets, callback })).searchParams.has('nonce')).toBe(false);
    expect(await problemOf(signed(claims({ nonce: undefined })), client)).toBe('nothing was refused');
  });

  test.each([
    ['signed by another key', () => signed(claims(), newKeys().privateKey), /signature/],
    ['signed with the public key as a secret', () => signedWithPublicKey(claims()), /alg/],
    ['not signed', () => `${encode({ alg: 'none' })}.${encode(claims())}.`, /alg/],
    ['for another client', () => signed(claims({ aud: 'other' })), /aud/],
    ['of another issuer', () => signed(claims({ iss: 'https://other.example' })), /another issuer/],
    ['of an issuer that is nearly called so', () => signed(claims({ iss: `${peer.url}/other` })), /another issuer/],
    ['of what is no issuer', () => signed(claims({ iss: 'http:' })), /another issuer/],
    ['of nobody', () => signed(claims({ iss: undefined })), /another issuer/],
    ['that is over', () => signed(claims({ iat: nowS() - 900, exp: nowS() - 600 })), /exp/],
    ['without an end', () => signed(claims({ exp: undefined })), /exp/],
    ['without a beginning', () => signed(claims({ iat: undefined })), /iat/],
    ['of another sign-in', () => signed(claims({ nonce: 'of another' })), /nonce/],
    ['of no sign-in', () => signed(claims({ nonce: undefined })), /nonce/],
    ['of another user than the endpoint for users answers', () => signed(claims({ sub: 'bob' })), /another user/],
    ['that is none', () => 'nonsense', /another issuer/],
  ])('is refused with an id token %s', async (_what, token, problem) => {
    expect(await problemOf(token())).toMatch(problem);
  });

  test('is refused where its keys cannot be read', async () => {
    expect(await problemOf(signed(claims()), clientOf({ keys: '/nowhere' }))).not.toBe('nothing was refused');
  });

  test('may leave the id token out', async () => {
    const { tokens, identity } = await signIn(undefined);
    expect(tokens).toMatchObject({ idToken: undefined, claims: undefined });
    expect(identity).toMatchObject({ subject: 'ada' });
  });
});

test('without its keys, no id token is read and none is asked for', async () => {
  const client = clientOf({ keys: '' });
  expect((await client.authorizationUrl({ secrets, callback })).searchParams.has('nonce')).toBe(false);
  for (const token of [signed(claims({ sub: 'bob' }), newKeys().privateKey), 'nonsense']) {
    const { tokens, identity } = await signIn(token, client);
    expect(tokens).toMatchObject({ idToken: undefined, claims: undefined });
    expect(identity).toMatchObject({ subject: 'ada' });
  }
});
