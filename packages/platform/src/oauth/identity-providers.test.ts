import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser } from '@portcullis/testkit/browser';
import { entraTenant, startEntraPeer, type EntraPeer } from '@portcullis/testkit/identity-providers/entra-peer';
import { startGithubPeer } from '@portcullis/testkit/identity-providers/github-peer';
import type { IdentityProviderPeer } from '@portcullis/testkit/identity-providers/identity-provider-peer';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { startOpenIdPeer } from '@portcullis/testkit/identity-providers/open-id-peer';
import { randomBytes } from 'node:crypto';
import { parseConfigOrThrow } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { createInProcessAttemptLimiter } from '../coordination/in-process/attempt-limiter.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { providerAt } from '../../test/oauth-providers.ts';
import { createEncryption } from '../security/encryption.ts';
import { createAuthorizationRequests, type AuthorizationRequests, type BroughtBack } from './authorization-requests.ts';
import { checkProvider } from './check-provider.ts';
import type { OAuthProvider } from './oauth-provider.ts';
import type { ProviderClient } from './provider-client.ts';
import { createProviderClients, type ProviderClients } from './provider-clients.ts';

const callback = new URL('https://gateway.example/api/v1/oauth/callback');
const redirectUris = [callback.href];
const path = callback.pathname;

let clients: ProviderClients;
beforeAll(() => {
  clients = createProviderClients(parseConfigOrThrow({}));
});
afterAll(async () => {
  await clients[Symbol.asyncDispose]();
});

const newRequests = (purpose = 'sign_in', key = 'k'.repeat(32), attempts = createInProcessAttemptLimiter()) =>
  createAuthorizationRequests<string>(purpose, { encryption: createEncryption(key), attempts });

interface Trip {
  readonly cookie: string;
  readonly brought: BroughtBack;
}

/** Goes to the provider and comes back, as a browser does. */
async function travel(requests: AuthorizationRequests<string>, client: ProviderClient, data = 'data'): Promise<Trip> {
  const { location, cookie } = await requests.start(client, { callback, data });
  const back = await new Browser().followTo(location, ({ origin }) => origin === callback.origin);
  return { cookie: cookie.split(';', 1)[0] ?? '', brought: Object.fromEntries(back.searchParams) };
}

async function signIn(client: ProviderClient) {
  const requests = newRequests();
  const { cookie, brought } = await travel(requests, client);
  const response = await requests.finish(path, cookie, brought);
  return client.identify(await response.exchange(client));
}

const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof GatewayError ? error.reason : String(error)),
  );

describe('providers as they are', () => {
  test('a certified OpenID provider', async () => {
    await using peer = await startOpenIdPeer({ redirectUris });
    const client = clients.of(providerAt(peer.issuer));
    peer.behave({ user: { email: 'bob@example.com' } });
    expect(await signIn(client)).toMatchObject({
      issuer: peer.issuer,
      subject: 'bob@example.com',
      email: 'bob@example.com',
      emailVerified: true,
      name: 'Ada',
    });
    peer.behave({ user: { email: 'bob@example.com', emailVerified: false } });
    expect(await signIn(client)).toMatchObject({ emailVerified: false });
    peer.behave({ denies: true });
    expect(await reasonOf(signIn(client))).toBe('sign_in_denied');
    expect((await checkProvider(client)).map(({ status }) => status)).not.toContain('failed');
  });

  test('a realm of Keycloak, whose access tokens are for another client', async () => {
    await using peer = await startOpenIdPeer({ redirectUris }, 'keycloak');
    expect(peer.issuer).toMatch(/\/realms\/example$/);
    const client = clients.of(providerAt(peer.issuer, 'keycloak'));
    expect(await signIn(client)).toMatchObject({ email: 'ada@example.com', emailVerified: true });
    expect((await client.server()).authorization_endpoint).toMatch(/protocol\/openid-connect\/auth$/);
  });

  test.each(['standard', 'keycloak'] as const)(
    'one given by its addresses that sends an id token (%s)',
    async (kind) => {
      await using peer = await startOpenIdPeer({ redirectUris }, kind);
      const known = await clients.once(providerAt(peer.issuer)).server();
      const [authorization, token, userinfo] = [
        known.authorization_endpoint,
        known.token_endpoint,
        known.userinfo_endpoint,
      ].map((url) => new URL(url ?? ''));
      const addresses = { kind: 'plain', authorization, token, userinfo } as OAuthProvider['addresses'];
      const client = clients.of(providerAt(peer.issuer, 'custom', { addresses }));
      const requests = newRequests();
      const { cookie, brought } = await travel(requests, client);
      // It names itself in its answer, and nobody said under which name it is known.
      expect(brought.iss).toBe(peer.issuer);
      const tokens = await (await requests.finish(path, cookie, brought)).exchange(client);
      expect(tokens).toMatchObject({ idToken: undefined, claims: undefined });
      // The realm's access tokens are for another client.
      if (kind === 'keycloak') return;
      expect(await client.identify(tokens)).toMatchObject({ email: 'ada@example.com', emailVerified: true });
    },
  );

  test('one given by its addresses takes no answer of another, nor of one that is nearly called so', async () => {
    await using peer = await startOpenIdPeer({ redirectUris });
    const known = await clients.once(providerAt(peer.issuer)).server();
    const addressOf = (url: string | undefined): URL => new URL(url ?? '');
    const addresses: OAuthProvider['addresses'] = {
      kind: 'plain',
      authorization: addressOf(known.authorization_endpoint),
      token: addressOf(known.token_endpoint),
      userinfo: addressOf(known.userinfo_endpoint),
    };
    const client = clients.of(providerAt(peer.issuer, 'custom', { addresses }));
    for (const iss of ['https://other.example', `${peer.issuer}/`, `${peer.issuer}/other`, peer.issuer.slice(0, -1)]) {
      const requests = newRequests();
      const { cookie, brought } = await travel(requests, client);
      const finished = await requests.finish(path, cookie, { ...brought, iss });
      expect([iss, await reasonOf(finished.exchange(client))]).toEqual([iss, 'provider_failed']);
    }
  });

  test('one that publishes its addresses for plain OAuth alone (RFC 8414)', async () => {
    await using peer = await startLoopbackPeer((request, response) => {
      const { url } = peer;
      const metadata = { issuer: url, authorization_endpoint: `${url}/a`, token_endpoint: `${url}/t` };
      const isIts = request.path === '/.well-known/oauth-authorization-server';
      answer(response, isIts ? 200 : 404, isIts ? { ...metadata, userinfo_endpoint: `${url}/u` } : 'Not Found');
    });
    const client = clients.once(providerAt(peer.url));
    expect(await client.server()).toMatchObject({ token_endpoint: `${peer.url}/t`, usersUrl: `${peer.url}/u` });
  });

  test('GitHub, by the verified address of its API and the number of the user', async () => {
    await using peer = await startGithubPeer({ redirectUris });
    const client = clients.of(providerAt(peer.issuer, 'github'));
    const identity = await signIn(client);
    expect(identity).toMatchObject({
      email: 'ada@example.com',
      emailVerified: true,
      subject: expect.stringMatching(/^\d+$/),
    });
    peer.behave({ user: { emailVerified: false } });
    expect(await signIn(client)).toMatchObject({ emailVerified: false });
    peer.behave({ denies: true });
    expect(await reasonOf(signIn(client))).toBe('sign_in_denied');
    const checks = async (secret: string) => {
      const other = clients.once(providerAt(peer.issuer, 'github', { clientSecret: new Secret(secret) }));
      return (await checkProvider(other)).find(({ name }) => name === 'credentials')?.status;
    };
    expect([await checks('s3cret of the gateway'), await checks('wrong')]).toEqual(['passed', 'failed']);
  });

  describe('Entra', () => {
    let peer: EntraPeer;
    beforeAll(async () => {
      peer = await startEntraPeer({ redirectUris });
    });
    afterAll(async () => {
      await peer[Symbol.asyncDispose]();
    });
    const at = (tenant: string, more: Partial<OAuthProvider> = {}, version: 1 | 2 = 2) =>
      clients.of(providerAt(peer.issuerOf(tenant, version), 'azure_ad', more));

    test('tells no address unless the app asked for it, or the word of the tenant counts', async () => {
      peer.behave({});
      expect(await signIn(at(entraTenant))).toMatchObject({ email: undefined, emailVerified: false, name: 'Ada' });
      const trusted = { email: 'ada@example.com', emailVerified: true };
      expect(await signIn(at(entraTenant, { trustsEmail: true }))).toMatchObject(trusted);
      peer.behave({ optionalClaims: true });
      expect(await signIn(at(entraTenant))).toMatchObject(trusted);
      peer.behave({ optionalClaims: true, user: { emailVerified: false } });
      expect(await signIn(at(entraTenant))).toMatchObject({ emailVerified: false });
    });

    test('names another issuer in its first version', async () => {
      peer.behave({ optionalClaims: true });
      expect(await signIn(at(entraTenant, {}, 1))).toMatchObject({ issuer: `https://sts.windows.net/${entraTenant}/` });
    });

    test('speaks for all tenants with one issuer, of which those come that were named', async () => {
      peer.behave({ optionalClaims: true });
      const named = { tenants: [entraTenant], trustsEmail: true };
      expect(await signIn(at('common', named))).toMatchObject({ issuer: peer.issuerOf(entraTenant) });
      const other = '99999999-2222-3333-4444-555555555555';
      peer.behave({ optionalClaims: true, tenant: other });
      expect(await reasonOf(signIn(at('common', named)))).toBe('sign_in_denied');
      // The tenant that the token names is the one that its issuer is of.
      peer.behave({ optionalClaims: true, tenant: other, claims: { tid: entraTenant } });
      expect(await reasonOf(signIn(at('common', named)))).toBe('provider_failed');
      // In a tenant of their own anyone calls anything their name.
      peer.behave({ user: { email: 'admin@example.com' } });
      expect(await signIn(at('common', named))).toMatchObject({ email: undefined });
    });

    test('is refused where a single tenant was named and another one answers', async () => {
      peer.behave({ tenant: '99999999-2222-3333-4444-555555555555' });
      expect(await reasonOf(signIn(at(entraTenant)))).toBe('provider_failed');
    });
  });
});

describe('attacks', () => {
  let peer: IdentityProviderPeer;
  let client: ProviderClient;
  beforeAll(async () => {
    peer = await startOpenIdPeer({ redirectUris });
    client = clients.of(providerAt(peer.issuer));
  });
  afterAll(async () => {
    await peer[Symbol.asyncDispose]();
  });

  test('a state of another browser, and none', async () => {
    const requests = newRequests();
    const [victim, attacker] = [await travel(requests, client), await travel(requests, client)];
    expect(await reasonOf(requests.finish(path, victim.cookie, attacker.brought))).toBe('invalid_state');
    expect(await reasonOf(requests.finish(path, undefined, attacker.brought))).toBe('invalid_state');
    expect(await reasonOf(requests.finish(path, victim.cookie, { code: 'x' }))).toBe('invalid_state');
    // None of that has used the right one up.
    expect((await requests.finish(path, victim.cookie, victim.brought)).data).toBe('data');
  });

  test('the code of another browser with the state of this one, which PKCE refuses', async () => {
    const requests = newRequests();
    const [victim, attacker] = [await travel(requests, client), await travel(requests, client)];
    const injected = { ...victim.brought, code: attacker.brought.code };
    const response = await requests.finish(path, victim.cookie, injected);
    expect(await reasonOf(response.exchange(client))).toBe('sign_in_denied');
  });

  test('the same answer once more, at the gateway and at the provider', async () => {
    const requests = newRequests();
    const { cookie, brought } = await travel(requests, client);
    const response = await requests.finish(path, cookie, brought);
    await response.exchange(client);
    expect(await reasonOf(requests.finish(path, cookie, brought))).toBe('invalid_state');
    expect(await reasonOf(response.exchange(client))).toBe('sign_in_denied');
  });

  test('an answer of another issuer, and one for another provider', async () => {
    const requests = newRequests();
    const { cookie, brought } = await travel(requests, client);
    const mixed = await requests.finish(path, cookie, { ...brought, iss: 'https://evil.example' });
    expect(await reasonOf(mixed.exchange(client))).toBe('provider_failed');
    const again = await travel(requests, client);
    const silent = await requests.finish(path, again.cookie, { ...again.brought, iss: undefined });
    expect(await reasonOf(silent.exchange(client))).toBe('provider_failed');
    const third = await travel(requests, client);
    const response = await requests.finish(path, third.cookie, third.brought);
    expect(await reasonOf(response.exchange(clients.of(providerAt(peer.issuer))))).toBe('invalid_state');
  });

  test('a cookie of another purpose, another callback, another gateway', async () => {
    const requests = newRequests();
    const { cookie, brought } = await travel(requests, client);
    const renamed = cookie.replace('portcullis_sign_in', 'portcullis_proxy');
    expect(await reasonOf(newRequests('proxy').finish(path, renamed, brought))).toBe('invalid_state');
    expect(await reasonOf(requests.finish(`${path}/other`, cookie, brought))).toBe('invalid_state');
    const foreign = newRequests('sign_in', randomBytes(16).toString('hex'));
    expect(await reasonOf(foreign.finish(path, cookie, brought))).toBe('invalid_state');
  });

  test('a login without PKCE is not begun: each has a challenge, a state and a nonce of its own', async () => {
    const requests = newRequests();
    const seen = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      const { location, cookie } = await requests.start(client, { callback, data: 'data' });
      const query = location.searchParams;
      expect(query.get('code_challenge_method')).toBe('S256');
      for (const name of ['code_challenge', 'state', 'nonce']) seen.add(query.get(name) ?? '');
      expect(cookie).toMatch(/Path=\/api\/v1\/oauth\/callback; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
      expect(cookie).not.toContain(query.get('state'));
    }
    expect(seen.size).toBe(9);
  });

  test('a provider that is moved to a metadata service is not asked', async () => {
    const moved = clients.once(providerAt('http://169.254.169.254/'));
    expect(await reasonOf(newRequests().start(moved, { callback, data: 'data' }))).toBe('provider_failed');
  });
});
