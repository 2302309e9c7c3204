import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { login, logout, me, refreshToken } from '@portcullis/contracts/routes/auth';
import { listProxies } from '@portcullis/contracts/routes/proxies';
import {
  createOAuthProvider,
  deleteOAuthProvider,
  discoverOAuthProvider,
  getOAuthProvider,
  getOAuthTemplateDocs,
  listOAuthProviders,
  listOAuthTemplates,
  testOAuthProvider,
  updateOAuthProvider,
} from '@portcullis/contracts/routes/oauth-providers';
import {
  beginOAuthLogin,
  beginOAuthLoginWith,
  getOAuthHealth,
  openOAuthLogin,
} from '@portcullis/contracts/routes/oauth-login';
import {
  createOAuthRule,
  deleteOAuthRule,
  getOAuthRule,
  listOAuthRules,
  updateOAuthRule,
  type OAuthRuleCreation,
} from '@portcullis/contracts/routes/oauth-rules';
import {
  cleanUpSessions,
  getSessionStats,
  listOAuthSessions,
  listProviderSessions,
  listUserSessions,
  revokeOAuthSession,
} from '@portcullis/contracts/routes/oauth-sessions';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { listSignInProviders, startSignIn } from '@portcullis/contracts/routes/sign-in';
import { createUser, updateUser } from '@portcullis/contracts/routes/users';
import { startSignInPeer, type SignInPeer } from '@portcullis/testkit/sign-in-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import {
  finishAtGateway,
  openAtProvider,
  signInAtProvider,
  signInEnvironment,
  type Returned,
} from '../../test/sign-in-browser.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

interface Body {
  readonly data: {
    readonly token: string;
    readonly session_token: string;
    readonly jwt_id: string;
    readonly user: { readonly id: number; readonly must_change_password: boolean };
  };
}

const { objectContaining: has } = expect;

describe.each(stores)('signing in with a provider (%s)', (store) => {
  let provider: SignInPeer;
  let management: TestManagement;
  let userId: number;
  beforeAll(async () => {
    provider = await startSignInPeer();
    management = await startManagement(store, signInEnvironment(provider));
    const body = { username: 'ada', email: 'ada@example.com', role: 'operator' } as const;
    userId = (await management.admin.data(createUser, { body })).user.id;
  });
  afterAll(async () => {
    await management.stop();
    await provider[Symbol.asyncDispose]();
  });
  beforeEach(() => provider.behave({}));
  afterEach(() => provider.up());

  const goTo = (name = 'oidc') => signInAtProvider(management.origin, name);
  const finish = async (returned: Returned) => {
    const response = await finishAtGateway(management.origin, returned);
    return { status: response.status, response, body: await response.text() };
  };
  const refusalOf = async (returned: Returned) => {
    const { status, body } = await finish(returned);
    return { status, ...(JSON.parse(body) as object) };
  };
  const lastAudit = () =>
    management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .select(['event_type', 'actor_name', 'details', 'error_message'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();

  test('names the providers', async () => {
    expect(await management.anonymous.data(listSignInProviders)).toEqual({ providers: ['github', 'azure_ad', 'oidc'] });
    const refusal = await management.anonymous.refusal(startSignIn, { params: { provider: 'google' } });
    expect(refusal).toMatchObject({ status: 404, message: 'Users can sign in with: github, azure_ad, oidc' });
  });

  test.each(['oidc', 'github'])('answers a session like any other with %s', async (name) => {
    const { status, body, response } = await finish(await goTo(name));
    expect([status, body]).toEqual([200, expect.stringContaining('"return_to":null')]);
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    const { data } = JSON.parse(body) as Body;
    expect(data.user).toMatchObject({ id: userId, username: 'ada', role: 'operator' });
    expect(await lastAudit()).toMatchObject({
      event_type: 'auth.login',
      actor_name: 'ada',
      details: { provider: name, email: 'ada@example.com' },
    });

    const client = management.anonymous.as(data.token);
    expect((await client.data(me)).username).toBe('ada');
    const fresh = management.anonymous.as((await client.data(refreshToken)).token);
    expect((await fresh.data(me)).username).toBe('ada');
    // The password that was made up for them is none of their business.
    expect(data.user.must_change_password).toBe(true);
    expect(await fresh.status(listProxies)).toBe(200);
    await fresh.status(logout);
    expect(await fresh.status(me)).toBe(401);
  });

  test('asks for the address where the id token does not tell it', async () => {
    provider.behave({ emailElsewhere: true });
    expect((await finish(await goTo())).status).toBe(200);
  });

  test("takes Azure AD's word for the owner of a domain, and no other provider's", async () => {
    provider.behave({ verified: false, claims: { email_verified: undefined, xms_edov: true } });
    expect((await finish(await goTo('azure_ad'))).status).toBe(200);
    expect((await finish(await goTo('oidc'))).status).toBe(403);
  });

  test('sends the browser with a code challenge, and binds it with a cookie', async () => {
    const url = `${management.origin}/api/v1/auth/oauth/login/oidc?return_to=/dashboard`;
    const response = await fetch(url, { redirect: 'manual' });
    const target = new URL(response.headers.get('location') ?? '');
    expect([response.status, target.origin]).toEqual([302, provider.url]);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      client_id: 'gateway',
      redirect_uri: 'https://gateway.example/api/v1/auth/oauth/callback/oidc',
      code_challenge_method: 'S256',
      nonce: expect.any(String),
    });
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/Path=\/api\/v1\/auth\/oauth\/callback\/oidc; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
    // The secrets in it are for this gateway alone.
    expect(cookie).not.toContain(target.searchParams.get('state'));
  });

  test('answers the path to go on with, and refuses what is not ours', async () => {
    const returned = await signInAtProvider(management.origin, 'oidc', '?return_to=/dashboard%3Fa=1');
    expect(JSON.parse((await finish(returned)).body)).toMatchObject({ data: { return_to: '/dashboard?a=1' } });
    for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example', 'dashboard']) {
      const query = { return_to: path };
      const refusal = await management.anonymous.refusal(startSignIn, { params: { provider: 'oidc' }, query });
      expect([path, refusal.status]).toEqual([path, 400]);
    }
  });

  describe('refuses', () => {
    const invalidState = { status: 400, error_code: 'BAD_REQUEST', error: expect.stringContaining('was not started') };

    test('another state, no cookie, the cookie of another provider', async () => {
      const [one, other] = [await goTo(), await goTo()];
      expect(await refusalOf({ ...one, cookie: other.cookie })).toMatchObject(invalidState);
      expect(await refusalOf({ ...one, cookie: '' })).toMatchObject(invalidState);
      expect(await refusalOf({ ...one, cookie: 'portcullis_sign_in=v1.nonsense' })).toMatchObject(invalidState);
      expect(await refusalOf({ ...one, path: one.path.replace('oidc?', 'github?') })).toMatchObject(invalidState);
      // None of that has used the right one up.
      expect((await finish(one)).status).toBe(200);
    });

    test('what was used, also at another replica', async () => {
      const returned = await goTo();
      expect((await finish(returned)).status).toBe(200);
      const exchanges = () => provider.requests.filter(({ path }) => path === '/token').length;
      const before = exchanges();
      expect(await refusalOf(returned)).toMatchObject(invalidState);
      const replica = store === 'server' ? await management.addReplica() : management.origin;
      expect((await finishAtGateway(replica, returned)).status).toBe(400);
      expect(exchanges()).toBe(before);
    });

    test('a code that the provider does not know', async () => {
      const returned = await goTo();
      const path = returned.path.replace(/code=[^&]+/, 'code=stolen');
      expect(await refusalOf({ ...returned, path })).toMatchObject({ status: 401 });
    });

    test.each([
      ['another nonce', { claims: { nonce: 'other' } }],
      ['another audience', { claims: { aud: 'another-client' } }],
      ['another issuer', { claims: { iss: 'https://evil.example' } }],
      ['an expired token', { claims: { exp: 1_000 } }],
      ['a signature of another key', { strangeKey: true }],
    ])('%s', async (_, behaviour) => {
      provider.behave(behaviour);
      const refusal = await refusalOf(await goTo());
      const error = 'The sign-in provider did not answer as it should';
      expect(refusal).toMatchObject({ status: 502, success: false, error, error_code: 'BAD_GATEWAY' });
      expect(refusal).toMatchObject({ message: 'An admin finds in the audit log what was wrong' });
      expect(await lastAudit()).toMatchObject({ error_message: expect.stringMatching(/^oidc: ./) });
    });

    test.each(['oidc', 'github'])('an address that %s has not verified', async (name) => {
      provider.behave({ verified: false });
      const refusal = await refusalOf(await goTo(name));
      expect(refusal).toMatchObject({ status: 403, error: expect.stringContaining('has not verified') });
    });

    test('an address of the id token when another one is verified', async () => {
      provider.behave({ email: 'eve@example.com', claims: { email: 'ada@example.com', email_verified: undefined } });
      expect(await refusalOf(await goTo())).toMatchObject({ status: 403 });
      expect(await lastAudit()).toMatchObject({ details: { email: 'eve@example.com' } });
    });

    test('a person who is no user here, or no active one', async () => {
      const noUser = { status: 403, error: expect.stringContaining('No active user') };
      provider.behave({ email: 'eve@example.com' });
      expect(await refusalOf(await goTo())).toMatchObject(noUser);
      expect(await lastAudit()).toMatchObject({
        event_type: 'auth.login.failed',
        details: { provider: 'oidc', email: 'eve@example.com' },
        error_message: expect.stringContaining('No active user'),
      });

      provider.behave({});
      await management.admin.data(updateUser, { params: { id: userId }, body: { active: false } });
      expect(await refusalOf(await goTo())).toMatchObject(noUser);
      await management.admin.data(updateUser, { params: { id: userId }, body: { active: true } });
    });

    test('who says no at the provider', async () => {
      provider.behave({ denies: true });
      expect(await refusalOf(await goTo())).toMatchObject({ status: 401, error_code: 'UNAUTHORIZED' });
      expect(await lastAudit()).toEqual(has({ event_type: 'auth.login.failed' }));
    });

    test('when the provider is down', async () => {
      const returned = await goTo();
      await provider.down();
      const refusal = await refusalOf(returned);
      expect(refusal).toMatchObject({ status: 502, error: expect.stringContaining('provider') });
      expect(JSON.stringify(refusal)).not.toContain(String(provider.port));
    });
  });

  describe('with a provider of the database', () => {
    const create = async (fields: object = {}) =>
      management.admin.data(createOAuthProvider, {
        body: {
          name: `Acme ${(counter += 1)}`,
          provider_type: 'custom',
          client_id: provider.clientId,
          client_secret: provider.clientSecret,
          issuer: provider.url,
          links_management_users: true,
          ...fields,
        },
      });
    let counter = 0;
    const stored = (id: number) =>
      management.infrastructure.database.kysely
        .selectFrom('oauth_providers')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();

    test('signs in, from the moment that it is there to the moment that it is gone', async () => {
      const acme = await create();
      const callback = `https://gateway.example/api/v1/auth/oauth/callback/${encodeURIComponent(acme.name)}`;
      expect(acme).toMatchObject({ has_client_secret: true, redirect_uri: callback, enabled: true });
      expect((await management.anonymous.data(listSignInProviders)).providers).toContain(acme.name);
      expect((await finish(await goTo(encodeURIComponent(acme.name)))).status).toBe(200);
      expect(await lastAudit()).toMatchObject({ event_type: 'auth.login', details: { provider: acme.name } });

      const begun = await goTo(encodeURIComponent(acme.name));
      const params = { id: acme.id };
      await management.admin.data(updateOAuthProvider, { params, body: { enabled: false } });
      expect((await finish(begun)).status).toBe(404);
      expect(await management.anonymous.status(startSignIn, { params: { provider: acme.name } })).toBe(404);
      expect(await management.admin.status(deleteOAuthProvider, { params })).toBe(200);
      expect(await management.admin.status(getOAuthProvider, { params })).toBe(404);
    });

    test('shows its secret nowhere, and keeps it for its row and its host', async () => {
      const acme = await create();
      const params = { id: acme.id };
      const { client_secret: sealed } = await stored(acme.id);
      const { kysely } = management.infrastructure.database;
      const audit = await kysely
        .selectFrom('audit_log')
        .selectAll()
        .where('resource_type', '=', 'oauth_provider')
        .execute();
      const lists = [await management.admin.data(listOAuthProviders), acme, sealed, audit];
      expect(JSON.stringify(lists)).not.toContain(provider.clientSecret);

      const other = new URL(provider.url);
      other.hostname = 'localhost';
      const moved = { issuer: other.origin };
      const refusal = await management.admin.refusal(updateOAuthProvider, { params, body: moved });
      expect(refusal).toMatchObject({ status: 400, problems: [{ path: '/body/client_secret' }] });
      expect((await management.admin.data(getOAuthProvider, { params })).issuer).toBe(provider.url);

      // Not even a change of the row itself has it sent to another host.
      await kysely.updateTable('oauth_providers').set(moved).where('id', '=', acme.id).execute();
      expect(await management.anonymous.status(startSignIn, { params: { provider: acme.name } })).toBe(500);
      await kysely.updateTable('oauth_providers').set({ issuer: provider.url }).where('id', '=', acme.id).execute();
      const sent = { ...moved, client_secret: 'another' };
      await management.admin.data(updateOAuthProvider, { params, body: sent });
      expect((await management.admin.data(getOAuthProvider, { params })).issuer).toBe(other.origin);
    });

    test('can be looked at before users are sent there', async () => {
      const found = await management.admin.data(discoverOAuthProvider, { body: { issuer: provider.url } });
      expect(found).toMatchObject({ issuer: provider.url, token_url: `${provider.url}/token`, supports_pkce: false });
      const nowhere = { issuer: `${provider.url}/nowhere` };
      expect(await management.admin.status(discoverOAuthProvider, { body: nowhere })).toBe(502);
      expect(await management.admin.status(discoverOAuthProvider, { body: { issuer: 'http://169.254.169.254' } })).toBe(
        400,
      );

      const templates = await management.admin.data(listOAuthTemplates);
      expect(templates.map(({ provider_type: type }) => type)).toContain('keycloak');
      const docs = await management.admin.data(getOAuthTemplateDocs, { params: { type: 'okta' } });
      expect(docs.callback_url).toBe('https://gateway.example/api/v1/auth/oauth/callback/okta');

      const good = await create();
      const tested = await management.admin.data(testOAuthProvider, { params: { id: good.id } });
      expect(tested).toMatchObject({ success: true });
      expect(tested.checks.map(({ name, status }) => [name, status])).toEqual([
        ['metadata', 'passed'],
        ['keys', 'passed'],
        ['pkce', 'unknown'],
        ['credentials', 'passed'],
      ]);
      const bad = await create({ client_secret: 'wrong' });
      expect(await management.admin.data(testOAuthProvider, { params: { id: bad.id } })).toMatchObject({
        success: false,
        message: expect.stringContaining('refuses the client'),
      });
      expect(await lastAudit()).toMatchObject({ event_type: 'oauth.provider.tested' });
    });

    test('refuses a name that is taken, here or by the environment, and what leads nowhere', async () => {
      const acme = await create();
      const body = { name: acme.name.toUpperCase(), provider_type: 'google', client_id: 'x' } as const;
      expect((await management.admin.refusal(createOAuthProvider, { body })).status).toBe(409);
      const ofEnvironment = { ...body, name: 'GitHub' };
      expect((await management.admin.refusal(createOAuthProvider, { body: ofEnvironment })).status).toBe(400);
      const nowhere = { ...body, name: 'Nowhere', issuer: 'https://169.254.169.254' };
      expect(await management.admin.refusal(createOAuthProvider, { body: nowhere })).toMatchObject({
        status: 400,
        problems: [{ path: '/body/issuer' }],
      });
      const params = { id: (await create()).id };
      const taken = await management.admin.refusal(updateOAuthProvider, { params, body: { name: acme.name } });
      expect(taken.status).toBe(409);
    });
  });

  describe('a first login', () => {
    const arrive = (email: string, name = 'oidc') => {
      provider.behave({ email });
      return goTo(name).then(finish);
    };
    const rule = (body: OAuthRuleCreation) => management.admin.data(createOAuthRule, { body });

    test('is refused without a rule, and makes a user of the role and groups that the rules give', async () => {
      expect((await arrive('bob@new.example')).status).toBe(403);
      const group = await management.admin.data(createUserGroup, { body: { name: 'newcomers' } });
      const made = await rule({ rule_type: 'email_domain', rule_value: 'new.example', user_group_id: group.id });
      expect(made).toMatchObject({ user_role: 'user', user_group: { name: 'newcomers' }, active: true });

      const { status, body } = await arrive('Bob@new.example');
      expect([status, body]).toEqual([200, expect.stringContaining('bob@new.example')]);
      const client = management.anonymous.as((JSON.parse(body) as Body).data.token);
      expect(await client.data(me)).toMatchObject({ role: 'user', groups: [{ name: 'newcomers' }] });
      // The role reads nothing but its user.
      expect(await client.status(listProxies)).toBe(403);
      const { kysely } = management.infrastructure.database;
      const events = await kysely
        .selectFrom('audit_log')
        .select(['event_type', 'details'])
        .where('event_type', 'in', ['user.created', 'usergroup.member.added'])
        .where('actor_type', '=', 'anonymous')
        .orderBy('id')
        .execute();
      const details = has({ provider: 'oidc', rule_ids: [made.id] });
      expect(events).toEqual([
        { event_type: 'user.created', details },
        { event_type: 'usergroup.member.added', details },
      ]);

      // The user stays when the rule goes, and the next newcomer does not come.
      await management.admin.status(deleteOAuthRule, { params: { id: made.id } });
      expect((await arrive('Bob@new.example')).status).toBe(200);
      expect((await arrive('carol@new.example')).status).toBe(403);
    });

    test('of one person at once in two windows makes one user', async () => {
      await rule({ rule_type: 'org_domain', rule_value: 'twice.example' });
      provider.behave({ email: 'dan@eng.twice.example' });
      const windows = await Promise.all([goTo(), goTo(), goTo()]);
      const answers = await Promise.all(windows.map(finish));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(answers.map(({ body }) => (JSON.parse(body) as Body).data.user.id)).size).toBe(1);
    });

    test('with another provider goes by the address; who got the address of another gets no user', async () => {
      await rule({ rule_type: 'org_domain', rule_value: 'moves.example' });
      expect((await arrive('eve@moves.example')).status).toBe(200);
      expect((await arrive('eve@moves.example', 'github')).status).toBe(200);
      // Another person at the same provider, who was given the address after her.
      provider.behave({ email: 'eve@moves.example', claims: { sub: 'someone-else' } });
      expect((await finish(await goTo())).status).toBe(403);
      // She herself under another address is the same user.
      const { kysely } = management.infrastructure.database;
      provider.behave({ email: 'eve@moves.example' });
      const before = await kysely.selectFrom('users').select('id').execute();
      const renamed = await kysely
        .selectFrom('user_identities')
        .select('subject')
        .where('email', '=', 'eve@moves.example')
        .where('provider_key', '=', 'env:oidc')
        .executeTakeFirstOrThrow();
      provider.behave({ email: 'eve@elsewhere.example', claims: { sub: renamed.subject } });
      expect((await finish(await goTo())).status).toBe(200);
      expect((await kysely.selectFrom('users').select('id').execute()).length).toBe(before.length);
    });

    test('does not bring back a user whom an admin deactivated', async () => {
      await rule({ rule_type: 'org_domain', rule_value: 'left.example' });
      const { body } = await arrive('fay@left.example');
      const { id } = (JSON.parse(body) as Body).data.user;
      await management.admin.data(updateUser, { params: { id }, body: { active: false } });
      expect((await arrive('fay@left.example')).status).toBe(403);
      expect((await arrive('fay@left.example', 'github')).status).toBe(403);
    });

    test('takes rules that can be, and lists, changes and removes them', async () => {
      const bad = (body: OAuthRuleCreation) => management.admin.refusal(createOAuthRule, { body });
      const byDomain = { rule_type: 'email_domain', rule_value: 'x.example' } as const;
      expect(await bad({ ...byDomain, rule_value: 'x' })).toMatchObject({ problems: [{ path: '/body/rule_value' }] });
      expect(await bad({ ...byDomain, user_role: 'admin' })).toMatchObject({
        problems: [{ path: '/body/provider_id' }],
      });
      expect(await bad({ ...byDomain, user_group_id: 99_999 })).toMatchObject({
        problems: [{ path: '/body/user_group_id' }],
      });
      const made = await rule({
        rule_type: 'provider',
        rule_value: 'none',
        user_role: 'admin',
        description: 'Find me',
      });
      const params = { id: made.id };
      const listed = await management.admin.data(listOAuthRules, { query: { search: 'find' } });
      expect(listed).toMatchObject({ rules: [{ id: made.id }], total: 1 });
      const changed = await management.admin.data(updateOAuthRule, { params, body: { priority: 7, active: false } });
      expect(changed).toMatchObject({ priority: 7, active: false, rule_value: 'none' });
      expect(await management.admin.data(getOAuthRule, { params })).toEqual(changed);
      await management.admin.status(deleteOAuthRule, { params });
      expect(await management.admin.status(getOAuthRule, { params })).toBe(404);
    });
  });

  describe('a session', () => {
    const open = async () => (JSON.parse((await finish(await goTo())).body) as Body).data;
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '10.9.9.9' };
      const answer = await fetch(`${management.origin}/api/v1/oauth/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { readonly success: boolean; readonly data: Record<string, string> };
    };

    test('is shown to a browser as a page, and as JSON where that is asked for', async () => {
      const { path, cookie, address } = await goTo();
      const headers = { cookie, 'x-forwarded-for': address, accept: 'text/html,application/xhtml+xml' };
      const shown = await fetch(`${management.origin}${path}`, { headers });
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
      expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*form-action 'none'/);
      expect(shown.headers.get('cache-control')).toBe('no-store');
      const text = await shown.text();
      expect(text).not.toContain('<script');
      const token = /<textarea[^>]*>([^<]+)</.exec(text)?.[1] ?? '';
      expect((await management.anonymous.as(token).data(me)).username).toBe('ada');

      const again = await goTo();
      const asJson = { ...headers, cookie: again.cookie };
      const answer = await fetch(`${management.origin}${again.path}&format=json`, { headers: asJson });
      expect((await answer.json()) as object).toMatchObject({
        data: { user_identity: 'ada', jwt_id: expect.any(String) },
      });
    });

    test('that does not come about is told to a browser as a page', async () => {
      provider.behave({ email: '<b>eve@example.com' });
      const { path, cookie, address } = await goTo();
      const headers = { cookie, 'x-forwarded-for': address, accept: 'text/html,application/xhtml+xml' };
      const shown = await fetch(`${management.origin}${path}`, { headers });
      expect([shown.status, shown.headers.get('content-type')]).toEqual([403, expect.stringContaining('text/html')]);
      expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*form-action 'none'/);
      const text = await shown.text();
      expect(text).toContain('You are not signed in');
      expect(text).not.toMatch(/<script|<b>/);
      const answer = await fetch(`${management.origin}${path}&format=json`, { headers });
      expect(await answer.json()).toMatchObject({
        success: false,
        error: expect.stringContaining('was not started here'),
      });
    });

    test('is never one that was there before, whatever the browser brings along', async () => {
      const planted = await open();
      const { path, cookie, address } = await goTo();
      const brought = `session_token=${planted.session_token}; session=${planted.jwt_id}; ${cookie}`;
      const response = await fetch(`${management.origin}${path}`, {
        headers: { cookie: brought, authorization: `Bearer ${planted.session_token}`, 'x-forwarded-for': address },
      });
      const { data } = (await response.json()) as Body;
      expect(response.status).toBe(200);
      expect(data.jwt_id).not.toBe(planted.jwt_id);
      // Who planted it gains nothing by the login, and loses nothing with its end.
      await post('logout', { session_token: data.session_token });
      expect(await management.anonymous.as(data.session_token).status(me)).toBe(401);
      expect(await management.anonymous.as(planted.session_token).status(me)).toBe(200);
    });

    test('can be validated, refreshed and ended by its token', async () => {
      const { session_token: token } = await open();
      const valid = { valid: true, user_identity: 'ada', user_email: 'ada@example.com' };
      expect(await post('validate', { session_token: token })).toMatchObject({ data: valid });
      const { data } = await post('refresh', { session_token: token });
      expect(await post('validate', { session_token: token })).toMatchObject({ data: { valid: false } });
      expect(await post('validate', { session_token: data['session_token'] })).toMatchObject({ data: valid });
      expect(await post('logout', { session_token: data['session_token'] })).toMatchObject({ success: true });
      expect(await post('validate', { session_token: data['session_token'] })).toMatchObject({
        data: { valid: false },
      });
    });

    test('is listed with its provider and ended by an admin, or with its provider', async () => {
      const acme = await management.admin.data(createOAuthProvider, {
        body: {
          name: 'Ends',
          provider_type: 'custom',
          client_id: provider.clientId,
          client_secret: provider.clientSecret,
          issuer: provider.url,
          links_management_users: true,
        },
      });
      const signIn = async () => (JSON.parse((await finish(await goTo('ends'))).body) as Body).data.token;
      const tokens = [await signIn(), await signIn()];
      const params = { id: acme.id };
      const { sessions, total } = await management.admin.data(listProviderSessions, { params });
      expect([total, sessions[0]]).toEqual([2, has({ user_identity: 'ada', provider_name: 'Ends', active: true })]);
      const all = await management.admin.data(listUserSessions, { params: { identity: 'ADA@example.com' } });
      expect(all.total).toBeGreaterThanOrEqual(2);
      expect((await management.admin.data(getSessionStats)).active_sessions).toBeGreaterThanOrEqual(2);

      const sessionId = sessions[1]?.id ?? '';
      expect(await management.admin.status(revokeOAuthSession, { params: { sessionId } })).toBe(200);
      expect(await management.admin.status(revokeOAuthSession, { params: { sessionId } })).toBe(404);
      const states = () => Promise.all(tokens.map((token) => management.anonymous.as(token).status(me)));
      expect(new Set(await states())).toEqual(new Set([200, 401]));
      await management.admin.status(deleteOAuthProvider, { params });
      expect(await states()).toEqual([401, 401]);
    });

    test('that has expired is cleaned up', async () => {
      await open();
      const { kysely } = management.infrastructure.database;
      await kysely
        .updateTable('login_sessions')
        .set({ expires_at: new Date(0) })
        .where('user_id', '=', userId)
        .execute();
      const before = await management.admin.data(listOAuthSessions, { query: { active: false } });
      expect(before.total).toBeGreaterThan(0);
      expect(await management.admin.data(cleanUpSessions)).toEqual({ deleted_count: before.total });
      expect((await management.admin.data(listOAuthSessions, { query: { active: false } })).total).toBe(0);
    });
  });

  describe('an address to sign in with', () => {
    test('begins in the browser that opens it, at one callback for all where the provider is registered so', async () => {
      const callback = 'https://gateway.example/api/v1/oauth/callback';
      const { id } = await management.admin.data(createOAuthProvider, {
        body: {
          name: 'One',
          provider_type: 'custom',
          client_id: provider.clientId,
          client_secret: provider.clientSecret,
          issuer: provider.url,
          links_management_users: true,
          redirect_uri: callback,
        },
      });
      const begun = await management.anonymous.data(beginOAuthLogin, {
        body: { provider_id: id, redirect_uri: '/here' },
      });
      expect(begun.authorization_url).toBe(begun.auth_url);
      const url = new URL(begun.auth_url);
      expect(url.origin + url.pathname).toBe('https://gateway.example/api/v1/oauth/start');
      const returned = await openAtProvider(management.origin, `${url.pathname}${url.search}`);
      expect(returned.path).toMatch(/^\/api\/v1\/oauth\/callback\?/);
      expect(JSON.parse((await finish(returned)).body)).toMatchObject({ data: { return_to: '/here' } });
      const bare = await management.anonymous.data(beginOAuthLoginWith, { params: { provider_id: id } });
      expect(bare.state).not.toBe(begun.state);

      const elsewhere = { provider_id: id, redirect_uri: 'https://evil.example' };
      expect(await management.anonymous.status(beginOAuthLogin, { body: elsewhere })).toBe(400);
      expect(await management.anonymous.status(openOAuthLogin, { query: { state: 'made-up' } })).toBe(400);
      expect(await management.anonymous.status(beginOAuthLogin, { body: { provider_id: 99_999 } })).toBe(404);
      expect(await management.anonymous.data(getOAuthHealth)).toMatchObject({ status: 'ready' });
    });
  });

  test('counts requests per address', async () => {
    const params = { provider: 'unknown' };
    const statuses = await Promise.all(
      Array.from({ length: 70 }, () => management.anonymous.status(startSignIn, { params })),
    );
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    // A request comes back with each second that they took.
    const ask = () => fetch(`${management.origin}/api/v1/oauth/health`);
    const refuse = async () => [await ask()].find(({ status }) => status === 429);
    const refused = await waitFor(refuse, { what: 'a refusal by another route of the login', intervalMs: 0 });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    // Guesses at passwords are counted for themselves.
    expect(await management.anonymous.status(login, { body: { username: 'unknown', password: 'wrong' } })).toBe(401);
  });
});

test('signs no user in by an address that is the name of a user, or looks like the address of one', async () => {
  await using provider = await startSignInPeer();
  const management = await startManagement('server', signInEnvironment(provider));
  try {
    const { admin, origin } = management;
    await admin.data(createUser, { body: { username: 'kim', email: 'kim@example.com', role: 'admin' } });
    const signIn = async (email: string): Promise<number> => {
      provider.behave({ email });
      return (await finishAtGateway(origin, await signInAtProvider(origin, 'oidc'))).status;
    };
    // Names, mailboxes of their own, and what no database takes.
    for (const email of ['kim', 'admin', '\u212Aim@example.com', 'kim@example.com\u0000', ' kim@example.com']) {
      expect([email, await signIn(email)]).toEqual([email, 403]);
    }
    expect(await signIn('KIM@example.com')).toBe(200);
  } finally {
    await management.stop();
  }
});
