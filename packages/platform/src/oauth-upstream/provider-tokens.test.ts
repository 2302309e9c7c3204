import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { entraTenant } from '@portcullis/testkit/identity-providers/entra-peer';
import { startTokenIssuerPeer, type TokenIssuerPeer } from '@portcullis/testkit/identity-providers/token-issuer-peer';
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { providerAt } from '../../test/oauth-providers.ts';
import { silentLog } from '../../test/test-database.ts';
import { parseConfigOrThrow } from '../config/config.ts';
import type { OAuthProvider } from '../oauth/oauth-provider.ts';
import { createProviderClients, type ProviderClients } from '../oauth/provider-clients.ts';
import { createKeyWatch } from './key-watch.ts';
import { openProviderKeys } from './provider-keys.ts';
import { readSignedToken } from './read-signed-token.ts';
import { createTokenIntrospector, TooManyIntrospections } from './token-introspector.ts';

let peer: TokenIssuerPeer;
let clients: ProviderClients;
beforeAll(async () => {
  peer = await startTokenIssuerPeer();
  clients = createProviderClients(parseConfigOrThrow({}));
});
beforeEach(() => peer.up());
afterAll(async () => {
  await clients[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

const nowS = () => Math.floor(Date.now() / 1_000);
const watch = (providers: readonly OAuthProvider[]) => {
  const keys = createKeyWatch({ clients, log: silentLog, providers: () => providers });
  keys.start();
  return keys;
};
const asked = (path: string): number => peer.requests.filter((request) => request.path === path).length;

describe('a signed token', () => {
  const provider = () => providerAt(peer.issuer);
  const read = async (token: string, of = provider()) => {
    await using keys = watch([of]);
    const known = await keys.learn(of);
    return known === undefined ? 'no keys' : readSignedToken(token, of, known, Date.now());
  };

  test('of the provider says whose it is', async () => {
    expect(await read(peer.sign({ sub: 'bob', aud: ['one', 'two'] }))).toEqual({
      kind: 'good',
      facts: { issuer: peer.issuer, subject: 'bob', audiences: ['one', 'two'], expiresAtMs: expect.any(Number) },
    });
    expect((await read(peer.sign({}, { typ: 'JWT' }))) as object).toMatchObject({ kind: 'good' });
    // One minute of two clocks that differ is neither in the past nor in the future.
    expect((await read(peer.sign({ exp: nowS() - 10 }))) as object).toMatchObject({ kind: 'good' });
  });

  test.each<[string, object, object?]>([
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['of an issuer that begins alike', { iss: 'http://127.0.0.1' }],
    ['that has ended', { exp: 1_000 }],
    ['without an end', { exp: undefined }],
    ['that is not good yet', { nbf: 9_999_999_999 }],
    ['of nobody', { sub: undefined }],
    ['of an empty name', { sub: '' }],
    ['that is an id token', { nonce: 'n' }],
    ['that is an id token of a code', { at_hash: 'h' }],
    ["that is Keycloak's refresh token", { typ: 'Refresh' }],
    ["that is Keycloak's id token", { typ: 'ID' }],
    ['that only the holder of a key may use', { cnf: { jkt: 'thumbprint' } }],
    ['of another kind', {}, { typ: 'logout+jwt' }],
  ])('%s is refused', async (_, claims, header = {}) => {
    expect(await read(peer.sign({ ...claims }, { ...header }))).toEqual({ kind: 'refused' });
  });

  test('that someone else signed is refused, whatever it says of how', async () => {
    const [header = '', claims = '', signature = ''] = peer.sign().split('.');
    const other = Buffer.from(JSON.stringify({ sub: 'eve', iss: peer.issuer, exp: nowS() + 60 })).toString('base64url');
    expect(await read(`${header}.${other}.${signature}`)).toEqual({ kind: 'refused' });
    expect(await read(`${header}.${claims}.`)).toEqual({ kind: 'refused' });
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const rename = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: 'JWT', kid })).toString('base64url');
    expect(await read(`${rename('none')}.${claims}.`)).toEqual({ kind: 'refused' });
    // The public key taken for a shared secret.
    const published = await (await fetch(`${peer.url}/keys`)).text();
    const content = `${rename('HS256')}.${claims}`;
    const mac = createHmac('sha256', published).update(content).digest('base64url');
    expect(await read(`${content}.${mac}`)).toEqual({ kind: 'refused' });
    expect(await read('a.b.c')).toEqual({ kind: 'refused' });
    expect(await read(peer.sign({ much: 'x'.repeat(20_000) }))).toEqual({ kind: 'refused' });
  });

  test('of a new key is good once the key has been read, which happens now and then', async () => {
    const of = provider();
    await using keys = watch([of]);
    const known = await keys.learn(of);
    const before = asked('/keys');
    peer.rotate();
    const reading = known && readSignedToken(peer.sign(), of, known, Date.now());
    expect(reading).toEqual({ kind: 'unknown key' });
    // Whoever names keys that there are not has the provider asked no more often.
    await Promise.all(Array.from({ length: 20 }, () => keys.learn(of)));
    expect(asked('/keys') - before).toBeLessThanOrEqual(1);
  });

  test('is judged by the keys that were read last while the provider is away, and by none where there were none', async () => {
    const of = provider();
    await using keys = watch([of]);
    await keys.learn(of);
    await peer.down();
    expect(keys.find(of)).toBeDefined();
    expect(keys.find({ ...of, version: 'two' })).toBeUndefined();
    const other = provider();
    expect(await keys.learn(other)).toBeUndefined();
  });
});

describe('tokens of Entra', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const keys = (issuer: string) =>
    openProviderKeys(issuer, { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'entra', use: 'sig' }] });
  const home = 'https://login.microsoftonline.com';
  const other = '99999999-2222-3333-4444-555555555555';
  const tokenOf = (claims: object, key: KeyObject = pair.privateKey): string => {
    const parts = [
      { alg: 'RS256', typ: 'JWT', kid: 'entra' },
      { sub: 'ada', aud: 'api', exp: nowS() + 60, ...claims },
    ];
    const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
  };
  const own = providerAt(`${home}/${entraTenant}/v2.0`, 'azure_ad');
  const many = providerAt(`${home}/common/v2.0`, 'azure_ad', { tenants: [entraTenant] });

  test.each([
    ['of the second version', own, `${home}/${entraTenant}/v2.0`, entraTenant, 'good'],
    ['of the first version, by another host', own, `https://sts.windows.net/${entraTenant}/`, entraTenant, 'good'],
    ['of another tenant', own, `${home}/${other}/v2.0`, other, 'refused'],
    ['of another tenant, in the first version', own, `https://sts.windows.net/${other}/`, other, 'refused'],
    ['that contradicts itself', own, `${home}/${entraTenant}/v2.0`, other, 'refused'],
    ['of one tenant of many', many, `${home}/${entraTenant}/v2.0`, entraTenant, 'good'],
    ['of a tenant that may not come', many, `${home}/${other}/v2.0`, other, 'refused'],
    ['of all tenants at once', many, `${home}/{tenantid}/v2.0`, '{tenantid}', 'refused'],
  ])('%s', (_, provider, iss, tid, kind) => {
    const known = provider === many ? `${home}/{tenantid}/v2.0` : `${home}/${entraTenant}/v2.0`;
    expect(readSignedToken(tokenOf({ iss, tid }), provider, keys(known), Date.now()).kind).toBe(kind);
  });
});

describe('a token that says nothing', () => {
  test('is asked about once, also by many at once, and again after a minute', async () => {
    const provider = providerAt(peer.issuer);
    let clockMs = Date.now();
    const questions = createTokenIntrospector(clients, () => clockMs);
    const token = peer.issue({ sub: 'bob', aud: 'one' });
    const before = asked('/introspect');
    const facts = { issuer: peer.issuer, subject: 'bob', audiences: ['one'] };
    const many = await Promise.all(
      Array.from({ length: 10 }, async () => questions.ask(provider, 'introspection', token)),
    );
    expect(many).toEqual(Array.from({ length: 10 }, () => expect.objectContaining(facts)));
    expect(asked('/introspect') - before).toBe(1);
    peer.revoke(token);
    expect(questions.ask(provider, 'introspection', token)).toMatchObject(facts);
    clockMs += 61_000;
    expect(await questions.ask(provider, 'introspection', token)).toBeUndefined();
    expect(questions.ask(provider, 'introspection', token)).toBeUndefined();
    expect(asked('/introspect') - before).toBe(2);
  });

  test.each<[string, object]>([
    ['has ended', { exp: 1_000 }],
    ['is not good yet', { nbf: 9_999_999_999 }],
    ['is of nobody', { sub: undefined }],
    ['only the holder of a key may use', { cnf: { jkt: 'thumbprint' } }],
    ['is of another kind', { token_type: 'DPoP' }],
  ])('is refused where it %s', async (_, claims) => {
    const questions = createTokenIntrospector(clients);
    expect(await questions.ask(providerAt(peer.issuer), 'introspection', peer.issue({ ...claims }))).toBeUndefined();
  });

  test('is for the client to which it was issued where the provider names nobody else', async () => {
    const questions = createTokenIntrospector(clients);
    const token = peer.issue({ aud: undefined, client_id: 'someone' });
    const facts = await questions.ask(providerAt(peer.issuer), 'introspection', token);
    expect(facts).toMatchObject({ audiences: ['someone'] });
  });

  test('has its user told where that is asked, and nothing about for whom it is', async () => {
    const questions = createTokenIntrospector(clients);
    const provider = providerAt(peer.issuer);
    const facts = await questions.ask(provider, 'userinfo', peer.issue({ sub: 'bob' }));
    expect(facts).toMatchObject({ subject: 'bob', audiences: undefined });
    expect(await questions.ask(provider, 'userinfo', 'made up')).toBeUndefined();
  });

  test('is no reason to ask a provider without end, nor to take its silence for a no', async () => {
    const questions = createTokenIntrospector(clients);
    const provider = providerAt(peer.issuer);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, async (_, index) => questions.ask(provider, 'introspection', `made up ${index}`)),
    );
    const refused = outcomes.filter(
      (outcome) => outcome.status === 'rejected' && outcome.reason instanceof TooManyIntrospections,
    );
    expect(refused).toHaveLength(68);
    await peer.down();
    await expect(async () => questions.ask(provider, 'introspection', peer.issue())).rejects.toThrow(
      /closed|ECONNREFUSED/,
    );
  });
});
