import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Browser } from '@portcullis/testkit/browser';
import { decideConsent, openConsent } from '@portcullis/testkit/consent';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { isBack, newVerifier, OAuthByHand, redirectUri } from './oauth-client.ts';
import { enableOAuth, startOAuthGateway, type OAuthGateway } from './start-oauth-gateway.ts';
import { enableTools, setUpProxy, type ReadyProxy } from './set-up-proxy.ts';

let world: OAuthGateway;
let other: ReadyProxy;
let tries = 0;
/** Each test speaks from an address of its own, or the limit of one would be that of all. */
let address: string;
let server: OAuthByHand;

beforeAll(async () => {
  world = await startOAuthGateway('one process', { TRUSTED_PROXIES: '127.0.0.1/32' });
  const { admin } = world.gateway;
  other = await setUpProxy(admin, world.target.url, { type: 'mcp' });
  await enableTools(admin, other.id);
  await admin.expect('POST', `/user-groups/${world.proxy.groupId}/proxy-access`, { proxy_config_id: other.id });
  await enableOAuth(world, other);
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  tries += 1;
  address = `10.7.0.${tries}`;
  server = byHand(world.proxy);
  world.target.forget();
  world.provider.behave({});
});

const byHand = ({ id }: ReadyProxy): OAuthByHand => new OAuthByHand(world.gateway.url, id, address);
const newBrowser = (): Browser => new Browser({ 'x-forwarded-for': address });
const codeOf = (back: URL): string => back.searchParams.get('code') ?? '';

/** All the way to tokens, as a client and a user do who mean well. */
async function obtain() {
  const { client_id: id } = await server.register();
  const verifier = newVerifier();
  const back = await server.signIn(newBrowser(), id, verifier);
  const { status, body } = await server.exchange(id, codeOf(back), verifier);
  expect(status).toBe(200);
  return { id, verifier, code: codeOf(back), tokens: body };
}

const ping = async (token: string, { url }: ReadyProxy = world.proxy): Promise<number> => {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await answer.text();
  return answer.status;
};

/** Neither a refusal nor a change of a user waits until it is in force everywhere. */
const isOver = (token: string) =>
  waitFor(async () => (await ping(token)) === 401, { what: 'the proxy to refuse the token' });

const lastAudit = async (event: string) => {
  const path = `/audit/logs?event_type=${event}&limit=1`;
  const { logs } = await world.gateway.admin.expect<{ logs: readonly Record<string, unknown>[] }>('GET', path);
  return logs[0];
};

describe('codes', () => {
  test('one that comes a second time is nothing, and ends what it had led to', async () => {
    const { id, code, verifier, tokens } = await obtain();
    expect(await ping(tokens.access_token)).toBe(200);
    expect(await server.exchange(id, code, verifier)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await isOver(tokens.access_token);
    expect(await server.refresh(id, tokens.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
    expect(await lastAudit('security.suspicious.activity')).toMatchObject({
      error_message: expect.stringContaining('second time'),
    });
  });

  test('one that was used ends nothing for who does not have its secret', async () => {
    const { id, code, tokens } = await obtain();
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    expect(await server.exchange(id, code, newVerifier())).toMatchObject(refused);
    expect(
      await server.exchange(id, code, newVerifier(), { redirect_uri: 'http://127.0.0.1:1/callback' }),
    ).toMatchObject(refused);
    expect(await ping(tokens.access_token)).toBe(200);
    expect((await server.refresh(id, tokens.refresh_token)).status).toBe(200);
  });

  test('go nowhere that the proxy does not admit any more: when asked for, when allowed, when back, when exchanged', async () => {
    const { admin } = world.gateway;
    const narrow = (patterns: readonly string[]) =>
      admin.expect('PUT', `/proxies/${world.proxy.id}`, { settings: { oauth_proxy_allowed_redirects: patterns } });
    const { client_id: id } = await server.register();
    const verifier = newVerifier();
    const code = codeOf(await server.signIn(newBrowser(), id, verifier));
    try {
      await narrow(['https://app.example.com/callback']);
      await expect(server.signIn(newBrowser(), id, newVerifier())).rejects.toBeInstanceOf(Error);
      expect(await server.exchange(id, code, verifier)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    } finally {
      await narrow([]);
    }
    expect(codeOf(await server.signIn(newBrowser(), id, newVerifier()))).not.toBe('');
  });

  test('a stolen one is nothing for another client, and nothing for anyone once it was tried without its secret', async () => {
    const { client_id: id } = await server.register();
    const { client_id: thief } = await server.register();
    const verifier = newVerifier();
    const code = codeOf(await server.signIn(newBrowser(), id, verifier));
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    expect(await server.exchange(thief, code, verifier)).toMatchObject(refused);
    expect(await server.exchange(id, code, newVerifier())).toMatchObject(refused);
    expect(await server.exchange(id, code, verifier)).toMatchObject(refused);
    expect(await lastAudit('oauth.token.refused')).toMatchObject({
      error_message: expect.stringContaining('verifier'),
    });
  });

  test.each([
    ['another address', { redirect_uri: 'http://127.0.0.1:33419/callback' }],
    ['no address', { redirect_uri: undefined }],
    ['no secret', { code_verifier: undefined }],
    ['the challenge as its secret', { code_verifier: 'challenge' }],
  ])('one with %s is refused', async (_, changes) => {
    const { client_id: id } = await server.register();
    const verifier = newVerifier();
    const back = await server.signIn(newBrowser(), id, verifier);
    const answer = await server.exchange(id, codeOf(back), verifier, changes);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('the method plain, and none, is refused before anyone is asked', async () => {
    const { client_id: id } = await server.register();
    for (const changes of [
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge: undefined },
    ]) {
      const answer = await newBrowser().open(server.authorizationUrl(id, newVerifier(), changes));
      const back = new URL(answer.headers.get('location') ?? '');
      expect(isBack(back)).toBe(true);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'invalid_request', iss: world.proxy.url });
    }
  });
});

describe('issuers', () => {
  test('every answer says whose it is; a code and a token of one proxy are nothing at another', async () => {
    const { client_id: id } = await server.register();
    const verifier = newVerifier();
    const back = await server.signIn(newBrowser(), id, verifier);
    expect(back.searchParams.get('iss')).toBe(world.proxy.url);
    // Registered with one proxy, it is no client of the other.
    const elsewhere = byHand(other);
    expect(await elsewhere.exchange(id, codeOf(back), verifier)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    const { client_id: there } = await elsewhere.register();
    expect(await elsewhere.exchange(there, codeOf(back), verifier)).toMatchObject({ body: { error: 'invalid_grant' } });
    const { status, body } = await server.exchange(id, codeOf(back), verifier);
    expect([status, await ping(body.access_token), await ping(body.access_token, other)]).toEqual([200, 200, 401]);
    expect(await elsewhere.refresh(there, body.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
  });

  test('tokens for another resource are not given', async () => {
    const { id, tokens } = await obtain();
    const answer = await newBrowser().open(server.authorizationUrl(id, newVerifier(), { resource: other.url }));
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_target');
    const fields = { grant_type: 'refresh_token', client_id: id, refresh_token: tokens.refresh_token };
    expect(await server.token({ ...fields, resource: other.url })).toMatchObject({ body: { error: 'invalid_target' } });
    expect(await server.token({ ...fields, resource: `${world.proxy.url}/mcp` })).toMatchObject({ status: 200 });
  });

  test('an answer of the provider counts only with its own issuer, in the browser that was sent there, and once', async () => {
    const { client_id: id } = await server.register();
    const [victim, attacker] = [newBrowser(), newBrowser()];
    const callback = `${world.gateway.url}/api/v1/oauth-proxy/callback/`;
    const atCallback = (url: URL) => url.href.startsWith(callback);
    const back = await decideConsent(attacker, server.authorizationUrl(id, newVerifier()), atCallback);
    // Someone signs a victim in as themselves.
    expect((await victim.open(back)).status).toBe(400);
    const mixed = new URL(back);
    mixed.searchParams.set('iss', 'https://evil.example.com');
    const answer = new URL((await attacker.open(mixed)).headers.get('location') ?? '');
    expect([isBack(answer), answer.searchParams.has('code')]).toEqual([true, false]);
    expect((await attacker.open(back)).status).toBe(400);
  });
});

describe('addresses', () => {
  test.each([
    'https://evil.example.com/callback',
    'http://evil.example.com/callback',
    'http://127.0.0.1:80@evil.example.com/',
    'http://127.0.0.1.evil.example.com/',
    'javascript:alert(1)',
    'javascript://127.0.0.1/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'cursor://not-admitted-here',
    'http://127.0.0.1:33418/callback#fragment',
    'http://127.0.0.1:*/callback',
  ])('%s cannot be registered', async (uri) => {
    for (const extra of [{}, { application_type: 'web' }, { application_type: 'native' }]) {
      const answer = await server.registerRaw({ redirect_uris: [redirectUri, uri], ...extra });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_redirect_uri' }),
      ]);
    }
  });

  test.each([
    'https://evil.example.com/callback',
    `${redirectUri}/`,
    `${redirectUri}?next=//evil.example.com`,
    'http://127.0.0.1:33418/other',
    'http://localhost:33418/callback',
    'http://127.0.0.1:33418@evil.example.com/callback',
  ])('nobody is sent to %s, which is not registered', async (uri) => {
    const { client_id: id } = await server.register();
    const answer = await newBrowser().open(server.authorizationUrl(id, newVerifier(), { redirect_uri: uri }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).toContain('has not registered');
  });

  test('the port of a program on the own machine may be another one', async () => {
    const { client_id: id } = await server.register();
    const uri = 'http://127.0.0.1:51999/callback';
    const verifier = newVerifier();
    const url = server.authorizationUrl(id, verifier, { redirect_uri: uri });
    const back = await decideConsent(newBrowser(), url, ({ href }) => href.startsWith(uri));
    expect(await server.exchange(id, codeOf(back), verifier, { redirect_uri: uri })).toMatchObject({ status: 200 });
  });
});

describe('the page that asks', () => {
  const begin = async (browser: Browser, name?: string) => {
    const { client_id: id } = await server.register(name === undefined ? {} : { client_name: name });
    return openConsent(browser, server.authorizationUrl(id, newVerifier()));
  };

  test('takes a decision from the browser that saw it alone, and from no other site', async () => {
    const victim = newBrowser();
    const [own, foreign] = [await begin(victim), await begin(newBrowser())];
    const decide = (browser: Browser, ticket: string, headers = {}) =>
      browser.submit(own.action, { ticket, decision: 'allow' }, headers);
    // An attacker's ticket in the victim's browser, the victim's in another, and none of the gateway's.
    expect((await decide(victim, foreign.ticket)).status).toBe(400);
    expect((await decide(newBrowser(), own.ticket)).status).toBe(400);
    expect((await decide(victim, `${own.ticket.slice(0, -4)}AAAA`)).status).toBe(400);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await decide(victim, own.ticket, { 'sec-fetch-site': site })).status).toBe(400);
    }
    const action = new URL(own.action.href.replace(`/${world.proxy.id}/consent`, `/${other.id}/consent`));
    expect((await victim.submit(action, { ticket: own.ticket, decision: 'allow' })).status).toBe(400);
    expect((await decide(victim, own.ticket)).status).toBe(303);
  });

  test('stands in no frame, runs nothing, and shows names as text', async () => {
    const browser = newBrowser();
    const { client_id: id } = await server.register({ client_name: '<script>alert(1)</script>\u202eevil' });
    const answer = await browser.open(server.authorizationUrl(id, newVerifier()));
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const html = await answer.text();
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; evil');
    expect(html).toContain('a program on this computer (127.0.0.1:33418)');
    expect(html).not.toContain('<script');
    expect(html).not.toContain('\u202e');
  });

  test('is shown though the provider would let the user pass: a link of another client gets no code', async () => {
    const browser = newBrowser();
    const { client_id: known } = await server.register({ client_name: 'Known' });
    await server.signIn(browser, known, newVerifier());
    await world.gateway.admin.expect('PUT', `/proxies/${world.proxy.id}`, {
      settings: { oauth_proxy_require_consent: false, oauth_proxy_trusted_clients: [known] },
    });
    const { client_id: evil } = await server.register({ client_name: 'Evil' });
    expect((await openConsent(browser, server.authorizationUrl(evil, newVerifier()))).html).toContain('Evil');
    // The one that an admin named goes on by itself.
    const verifier = newVerifier();
    const back = await browser.followTo(server.authorizationUrl(known, verifier), isBack);
    expect(await server.exchange(known, codeOf(back), verifier)).toMatchObject({ status: 200 });
    await world.gateway.admin.expect('PUT', `/proxies/${world.proxy.id}`, {
      settings: { oauth_proxy_require_consent: true, oauth_proxy_trusted_clients: [] },
    });
  });

  test('sends the client the no of the user, of the provider, and of the rules', async () => {
    const { client_id: id } = await server.register();
    const url = () => server.authorizationUrl(id, newVerifier());
    const denied = { error: 'access_denied', state: 'xyz', iss: world.proxy.url };
    const answerOf = (back: URL) => Object.fromEntries(back.searchParams);
    expect(answerOf(await decideConsent(newBrowser(), url(), isBack, 'deny'))).toMatchObject(denied);
    world.provider.behave({ denies: true });
    expect(answerOf(await decideConsent(newBrowser(), url(), isBack))).toMatchObject(denied);
    world.provider.behave({ user: { email: 'eve@evil.example' } });
    expect(answerOf(await decideConsent(newBrowser(), url(), isBack))).toMatchObject(denied);
    world.provider.behave({ user: { emailVerified: false } });
    expect(answerOf(await decideConsent(newBrowser(), url(), isBack))).toMatchObject(denied);
    world.provider.behave({ user: {} });
    expect(await lastAudit('oauth.authorization.denied')).toMatchObject({ result: 'failure' });
  });
});

describe('tokens', () => {
  test('a refresh token that comes a second time ends all that came of it', async () => {
    const { id, tokens } = await obtain();
    const second = await server.refresh(id, tokens.refresh_token);
    expect([second.status, await ping(second.body.access_token)]).toEqual([200, 200]);
    expect(await server.refresh(id, tokens.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    await isOver(second.body.access_token);
    expect(await server.refresh(id, second.body.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
  });

  test('of two that refresh at once only one gets the next', async () => {
    const { id, tokens } = await obtain();
    const answers = await Promise.all([1, 2, 3].map(() => server.refresh(id, tokens.refresh_token)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status, body }) => status === 200 || body.error !== undefined)).toBe(true);
  });

  test('a client with a secret proves itself, in the form or in the header; another cannot end what is its own', async () => {
    const client = await server.register({ token_endpoint_auth_method: undefined });
    const { client_id: id, client_secret: secret = '' } = client;
    expect([id, secret]).toEqual([
      expect.stringMatching(/^gateway_[\da-f]{16}$/),
      expect.stringMatching(/^gw_secret_[\da-f]{32}$/),
    ]);
    const begin = async () => {
      const verifier = newVerifier();
      return { code_verifier: verifier, code: codeOf(await server.signIn(newBrowser(), id, verifier)) };
    };
    const fields = { grant_type: 'authorization_code', redirect_uri: redirectUri, ...(await begin()) };
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
    });
    const refused = { status: 401, body: { error: 'invalid_client' } };
    expect(await server.token({ ...fields, client_id: id })).toMatchObject(refused);
    expect(await server.token({ ...fields, client_id: id, client_secret: 'wrong' })).toMatchObject(refused);
    expect(await server.token(fields, basic('wrong'))).toMatchObject(refused);
    expect(await server.token({ ...fields, client_id: 'gateway_0000000000000000' }, basic(secret))).toMatchObject(
      refused,
    );
    const { status, body } = await server.token(fields, basic(secret));
    expect(status).toBe(200);
    const { client_id: thief } = await server.register();
    expect(await server.revoke(thief, body.refresh_token)).toBe(200);
    expect(await server.revoke(thief, body.access_token)).toBe(200);
    expect(await ping(body.access_token)).toBe(200);
    const form = { grant_type: 'authorization_code', redirect_uri: redirectUri, ...(await begin()) };
    expect(await server.token({ ...form, client_id: id, client_secret: secret })).toMatchObject({ status: 200 });
  });

  test('what a client revokes is over at once, by either token', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const { id, tokens } = await obtain();
      expect(await server.revoke(id, tokens[which])).toBe(200);
      expect(await ping(tokens.access_token)).toBe(401);
    }
  });

  test('those of a user who may not come any more are nothing', async () => {
    world.provider.behave({ user: { email: 'bob@example.com' } });
    const { id, tokens } = await obtain();
    world.provider.behave({ user: { email: 'ada@example.com' } });
    const { admin } = world.gateway;
    const { users } = await admin.expect<{ users: readonly { id: number; username: string }[] }>('GET', '/auth/users');
    const bob = users.find(({ username }) => username === 'bob@example.com');
    await admin.expect('PUT', `/auth/users/${bob?.id}`, { active: false });
    await isOver(tokens.access_token);
    expect(await server.refresh(id, tokens.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
  });

  test('a new signing key takes over, and those of the old one go on', async () => {
    const { tokens } = await obtain();
    const { kid } = await world.gateway.admin.expect<{ kid: string }>('POST', '/oauth-proxy/keys/rotate');
    const next = await obtain();
    const header = (token: string): unknown =>
      JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    expect(header(next.tokens.access_token)).toMatchObject({ kid, typ: 'at+jwt', alg: 'ES256' });
    expect([await ping(tokens.access_token), await ping(next.tokens.access_token)]).toEqual([200, 200]);
    const published = await fetch(`${world.proxy.url}/.well-known/jwks.json`);
    expect(((await published.json()) as { keys: readonly unknown[] }).keys.length).toBeGreaterThan(1);
  });
});

describe('documents of clients', () => {
  let documents: Server;
  let origin: string;
  let document: (clientId: string) => { status?: number; headers?: Record<string, string>; body: string };
  beforeAll(async () => {
    documents = createServer((request, response) => {
      const { status = 200, headers = {}, body } = document(`${origin}${request.url}`);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    documents.listen(port, '127.0.0.1');
    await once(documents, 'listening');
  });
  afterAll(async () => {
    documents.close();
    await once(documents, 'close');
  });
  const good = (clientId: string) => ({ client_id: clientId, client_name: 'Documented', redirect_uris: [redirectUri] });
  const open = async (clientId: string) => {
    const answer = await newBrowser().open(server.authorizationUrl(clientId, newVerifier()));
    return { status: answer.status, html: await answer.text() };
  };

  test('let a client in without registration', async () => {
    document = (clientId) => ({ body: JSON.stringify(good(clientId)) });
    const id = `${origin}/client.json`;
    expect((await open(id)).html).toContain(`Documented (of ${new URL(origin).host})`);
    const verifier = newVerifier();
    const back = await server.signIn(newBrowser(), id, verifier);
    expect(await server.exchange(id, codeOf(back), verifier)).toMatchObject({ status: 200 });
  });

  test.each<[string, (clientId: string) => ReturnType<typeof document>]>([
    ['is that of another client', () => ({ body: JSON.stringify(good('https://other.example.com/c')) })],
    ['leads elsewhere', (id) => ({ status: 302, headers: { location: id }, body: '' })],
    ['is too long', (id) => ({ body: JSON.stringify({ ...good(id), padding: 'x'.repeat(20_000) }) })],
    ['is no JSON', () => ({ body: '<html>' })],
    [
      'has an address that is not admitted',
      (id) => ({ body: JSON.stringify({ ...good(id), redirect_uris: ['https://evil.example.com/cb'] }) }),
    ],
    ['has no address', (id) => ({ body: JSON.stringify({ ...good(id), redirect_uris: [] }) })],
    [
      'wants a proof that is not known',
      (id) => ({ body: JSON.stringify({ ...good(id), token_endpoint_auth_method: 'private_key_jwt' }) }),
    ],
  ])('one that %s is refused', async (what, answer) => {
    document = answer;
    expect(await open(`${origin}/${encodeURIComponent(what)}`)).toMatchObject({ status: 400 });
  });

  test.each([
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/latest',
    'https://metadata.google.internal/x',
    'ftp://127.0.0.1/x',
    'https://user@127.0.0.1/x',
    'https://127.0.0.1',
  ])('%s is not asked', async (id) => {
    expect(await open(id)).toMatchObject({ status: 400 });
  });
});

test('registrations and tokens are counted for each address', async () => {
  // At once: one after the other a busy machine takes a second for each, and one is allowed again each second.
  const registrations = await Promise.all(Array.from({ length: 90 }, () => server.registerRaw({})));
  expect(registrations.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(60);
  const refused = registrations.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  await Promise.all(registrations.map((registration) => registration.arrayBuffer()));
  const answers = await Promise.all(
    Array.from({ length: 90 }, () => server.token({ grant_type: 'x', client_id: 'y' })),
  );
  expect(answers.some(({ status }) => status === 429)).toBe(true);
});
