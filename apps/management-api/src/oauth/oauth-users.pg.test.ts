import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { me } from '@portcullis/contracts/routes/auth';
import type { RequestLogRecord } from '@portcullis/contracts/records';
import {
  getOAuthAccessAnalytics,
  getOAuthGroupAnalytics,
  getOAuthProviderAnalytics,
  getOAuthRuleAnalytics,
  getOAuthTimeline,
  getOAuthUserAnalytics,
} from '@portcullis/contracts/routes/oauth-analytics';
import {
  activateOAuthRule,
  createOAuthRules,
  deactivateOAuthRule,
  getOAuthRuleStats,
  listOAuthRules,
  setOAuthRulePriority,
} from '@portcullis/contracts/routes/oauth-rules';
import {
  activateOAuthUser,
  deactivateOAuthUser,
  getOAuthUser,
  getOAuthUserByIdentity,
  getOAuthUserStats,
  groupOAuthUsers,
  listOAuthUsers,
  listSessionsOfOAuthUser,
  updateOAuthUser,
} from '@portcullis/contracts/routes/oauth-users';
import { createProxy, type ProxyCreation } from '@portcullis/contracts/routes/proxies';
import { grantProxyAccess } from '@portcullis/contracts/routes/proxy-access';
import { getProxySignIn, listProxyUsers, tryProxyUser } from '@portcullis/contracts/routes/proxy-users';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { startSignInPeer, type SignInPeer } from '@portcullis/testkit/sign-in-peer';
import { record, requestLogRecord } from '../../test/records.ts';
import { finishAtGateway, signInAtProvider, signInEnvironment } from '../../test/sign-in-browser.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('users who signed in with a provider, and rules (%s)', (store) => {
  let provider: SignInPeer;
  let management: TestManagement;
  let groups: { readonly id: number }[];
  let ids: readonly number[];
  const { objectContaining: has } = expect;
  beforeAll(async () => {
    provider = await startSignInPeer();
    management = await startManagement(store, signInEnvironment(provider));
    const { admin } = management;
    groups = [];
    for (const name of ['red', 'blue']) groups.push(await admin.data(createUserGroup, { body: { name } }));
    await admin.data(createOAuthRules, {
      body: {
        rules: [
          { rule_type: 'email_domain', rule_value: 'one.example', user_group_id: groups[0]?.id ?? 0 },
          { rule_type: 'email_domain', rule_value: 'two.example' },
        ],
      },
    });
    const made: number[] = [];
    for (const email of ['ada@one.example', 'bob@one.example', 'cy@two.example']) made.push(await arrive(email));
    ids = made;
  });
  afterAll(async () => {
    await management.stop();
    await provider[Symbol.asyncDispose]();
  });

  async function signIn(email: string): Promise<Response> {
    provider.behave({ email, claims: { sub: email } });
    return finishAtGateway(management.origin, await signInAtProvider(management.origin, 'oidc'));
  }
  async function arrive(email: string): Promise<number> {
    const { data } = (await (await signIn(email)).json()) as { data: { user: { id: number } } };
    return data.user.id;
  }
  const idOf = (index: number) => ({ id: ids[index] ?? 0 });

  test('are listed with group and provider, not those who never came so', async () => {
    const { admin } = management;
    const all = await admin.data(listOAuthUsers, { query: { page: 1, page_size: 2 } });
    expect(all).toMatchObject({ total: 3, page: 1, page_size: 2 });
    expect(all.users).toEqual([
      has({
        user_identity: 'ada@one.example',
        user_role: 'user',
        org_domain: 'one.example',
        user_group: has({ id: groups[0]?.id, name: 'red' }),
        provider: has({ provider_name: 'oidc' }),
      }),
      has({ user_identity: 'bob@one.example' }),
    ]);
    const names = async (query: object) =>
      (await admin.data(listOAuthUsers, { query: { page: 1, page_size: 50, ...query } })).users.map(
        ({ user_email: email }) => email,
      );
    expect(await names({ page: 2, page_size: 2 })).toEqual(['cy@two.example']);
    expect(await names({ group_id: groups[0]?.id })).toEqual(['ada@one.example', 'bob@one.example']);
    expect(await names({ search: 'TWO.' })).toEqual(['cy@two.example']);
    expect(await names({ provider_id: 4_711 })).toEqual([]);
    expect(await names({ role: 'admin' })).toEqual([]);
    expect(await names({ active: false })).toEqual([]);
    expect(await admin.data(getOAuthUser, { params: idOf(2) })).toMatchObject({ user_group: null, user_group_ids: [] });
    const found = await admin.data(getOAuthUserByIdentity, { params: { identity: 'CY@two.example' } });
    expect(found.id).toBe(ids[2]);
    expect(await admin.status(getOAuthUserByIdentity, { params: { identity: 'admin' } })).toBe(404);
    expect(await admin.status(getOAuthUser, { params: { id: 1 } })).toBe(404);
    const sessions = await admin.data(listSessionsOfOAuthUser, { params: idOf(0), query: { limit: 10, offset: 0 } });
    expect(sessions).toMatchObject({ total: 1, sessions: [{ user_email: 'ada@one.example', active: true }] });
  });

  test('get another role and group, alone and together', async () => {
    const { admin } = management;
    const [red, blue] = groups.map(({ id }) => id);
    const body = { user_role: 'viewer', user_group_id: blue ?? 0 } as const;
    const changed = await admin.data(updateOAuthUser, { params: idOf(0), body });
    expect(changed).toMatchObject({ user_role: 'viewer', user_group_ids: [blue] });
    const several = { user_ids: [...ids], user_group_id: red ?? 0 };
    expect(await admin.data(groupOAuthUsers, { body: several })).toEqual({ updated_count: 3 });
    const unknown = { user_ids: [ids[0] ?? 0, 4_711], user_group_id: blue ?? 0 };
    expect(await admin.status(groupOAuthUsers, { body: unknown })).toBe(404);
    expect(await admin.data(getOAuthUser, { params: idOf(0) })).toMatchObject({ user_group_ids: [red] });
    const nowhere = { user_group_id: 4_711 };
    expect(await admin.refusal(updateOAuthUser, { params: idOf(0), body: nowhere })).toMatchObject({
      problems: [{ path: '/body/user_group_id' }],
    });
    expect(await admin.data(updateOAuthUser, { params: idOf(2), body: { user_group_id: null } })).toMatchObject({
      user_group: null,
    });
    const { kysely } = management.infrastructure.database;
    const events = await kysely.selectFrom('audit_log').select('event_type').orderBy('id', 'desc').limit(1).execute();
    expect(events).toEqual([{ event_type: 'usergroup.member.removed' }]);
  });

  test('are deactivated with their sessions, and come again when activated', async () => {
    const { admin, anonymous } = management;
    const { data } = (await (await signIn('bob@one.example')).json()) as { data: { token: string } };
    expect(await anonymous.as(data.token).status(me)).toBe(200);
    expect(await admin.data(deactivateOAuthUser, { params: idOf(1) })).toMatchObject({ active: false });
    expect(await anonymous.as(data.token).status(me)).toBe(401);
    expect((await signIn('bob@one.example')).status).toBe(403);
    expect(await admin.data(getOAuthUserStats)).toEqual({
      total_users: 3,
      active_users: 2,
      inactive_users: 1,
      users_without_group: 1,
      by_role: { viewer: 1, user: 2 },
      by_group: { red: 2 },
      by_provider: { oidc: 3 },
      recent_logins_24h: 3,
      new_users_7d: 3,
    });
    expect(await admin.data(activateOAuthUser, { params: idOf(1) })).toMatchObject({ active: true });
    expect((await signIn('bob@one.example')).status).toBe(200);
    expect(await admin.status(deactivateOAuthUser, { params: { id: 1 } })).toBe(404);
  });

  test('rules come several at once or not at all, and are counted, ranked and switched', async () => {
    const { admin } = management;
    const twice = [
      { rule_type: 'email_domain', rule_value: 'three.example' },
      { rule_type: 'email_domain', rule_value: 'three.example', user_group_id: 4_711 },
    ] as const;
    expect(await admin.refusal(createOAuthRules, { body: { rules: [...twice] } })).toMatchObject({
      problems: [{ path: '/body/rules/1/user_group_id' }],
    });
    const bad = { rules: [{ rule_type: 'email_domain', rule_value: 'nothing' } as const] };
    expect(await admin.refusal(createOAuthRules, { body: bad })).toMatchObject({
      problems: [{ path: '/body/rules/0/rule_value' }],
    });
    const { rules } = await admin.data(listOAuthRules, { query: { limit: 10, offset: 0 } });
    expect(rules).toHaveLength(2);
    const params = { id: rules[1]?.id ?? 0 };
    expect(await admin.data(setOAuthRulePriority, { params, body: { priority: 9 } })).toMatchObject({ priority: 9 });
    expect(await admin.data(deactivateOAuthRule, { params })).toMatchObject({ active: false });
    expect(await admin.data(getOAuthRuleStats)).toEqual({
      total_rules: 2,
      active_rules: 1,
      inactive_rules: 1,
      by_type: { email_domain: 2 },
      by_role: { user: 2 },
      by_group: { red: 1 },
      by_provider: {},
    });
    expect((await signIn('dee@two.example')).status).toBe(403);
    await admin.data(activateOAuthRule, { params });
    expect((await signIn('dee@two.example')).status).toBe(200);
  });

  test('are counted by provider, group and day, failed logins apart from those with a password', async () => {
    const { admin } = management;
    const { kysely } = management.infrastructure.database;
    const query = { days: 7 };
    expect(await admin.data(getOAuthUserAnalytics)).toEqual(await admin.data(getOAuthUserStats));
    expect(await admin.data(getOAuthRuleAnalytics)).toEqual(await admin.data(getOAuthRuleStats));
    const tally = async () => {
      const { timeline } = await admin.data(getOAuthTimeline, { query });
      expect(timeline).toHaveLength(7);
      const sum = (name: 'logins' | 'failed_logins' | 'new_users') => timeline.reduce((all, day) => all + day[name], 0);
      return [sum('logins'), sum('failed_logins'), sum('new_users')];
    };
    const [logins = 0, failed = 0, arrivals = 0] = await tally();
    expect((await signIn('eve@two.example')).status).toBe(200);
    expect((await signIn('eve@two.example')).status).toBe(200);
    expect((await signIn('mal@elsewhere.example')).status).toBe(403);
    await management.signIn('viewer');
    expect(await tally()).toEqual([logins + 2, failed + 1, arrivals + 1]);

    const long = new Date(Date.now() - 8 * 86_400_000);
    const old = { created_at: long, last_login_at: long };
    await kysely.updateTable('user_identities').set(old).where('email', '=', 'ada@one.example').execute();
    const total = (await admin.data(getOAuthUserAnalytics)).total_users;
    const { providers } = await admin.data(getOAuthProviderAnalytics, { query });
    expect(providers).toEqual([
      {
        provider_id: null,
        provider_name: 'oidc',
        provider_type: null,
        total_users: total,
        new_users: total - 1,
        users_signed_in: total - 1,
      },
    ]);
    const { groups: counted } = await admin.data(getOAuthGroupAnalytics, { query });
    expect(
      counted.map(({ name, total_users: users, users_signed_in: recent, rules }) => [name, users, recent, rules]),
    ).toEqual([
      ['red', 2, 1, 1],
      ['blue', 0, 0, 0],
    ]);
    expect(await admin.status(getOAuthTimeline, { query: { days: 91 } })).toBe(400);
  });

  test('are counted by what they asked of proxies, and why they were refused', async () => {
    const { admin, infrastructure } = management;
    const [ada = 0, bob = 0] = ids;
    const proxy = await admin.data(createProxy, {
      body: { name: 'counted', type: 'mcp', target: 'http://127.0.0.1:9', port: 22_011 },
    });
    const group = groups[0]?.id ?? 0;
    const log = (fields: Partial<RequestLogRecord>) =>
      requestLogRecord({ proxy_id: proxy.id, user_id: ada, ...fields });
    const refused = (stage: string, fields = {}) => log({ denied_stage: stage, denied_reason: 'x', ...fields });
    await record(infrastructure, [
      log({ user_group_id: group }),
      refused('inspect-request', { user_group_id: group }),
      refused('limit-rate', { user_group_id: group }),
      refused('check-group', { user_group_id: group }),
      refused('check-access', { user_group_id: group, user_id: bob }),
      refused('check-access', { user_id: bob }),
      log({ proxy_id: 4_711 }),
      log({ timestamp: new Date(Date.now() - 8 * 86_400_000).toISOString() }),
      log({ user_id: undefined, api_key_id: 1 }),
    ]);
    expect(await admin.data(getOAuthAccessAnalytics, { query: { days: 7 } })).toEqual({
      days: 7,
      total_access_attempts: 7,
      successful_access: 3,
      denied_access: 3,
      rate_limited: 1,
      by_proxy: {
        counted: { attempts: 6, allowed: 2, denied: 4 },
        'proxy 4711': { attempts: 1, allowed: 1, denied: 0 },
      },
      denial_reasons: { no_group_assignment: 1, group_lacks_access: 1, group_inactive: 1 },
    });
  });

  test('may use a proxy by their groups, and an admin is told why not', async () => {
    const { admin } = management;
    const fresh = await arrive('fay@two.example');
    const body: ProxyCreation = { name: 'open to green', type: 'mcp', target: 'http://127.0.0.1:9', port: 22_012 };
    const params = await admin.data(createProxy, { body });
    const group = async (name: string) => (await admin.data(createUserGroup, { body: { name } })).id;
    const [grey, green] = [await group('grey'), await group('green')];
    const tried = async (identity: string) => {
      const trial = await admin.data(tryProxyUser, { params, body: { user_identity: identity } });
      expect(trial.allowed).toBe(trial.reason === null);
      return [trial.reason, trial.user_group?.name];
    };
    const join = (id: number) => admin.data(groupOAuthUsers, { body: { user_ids: [fresh], user_group_id: id } });
    const signIn = () => admin.data(getProxySignIn, { params });
    const list = async () => (await admin.data(listProxyUsers, { params, query: { page: 1, page_size: 50 } })).users;

    expect(await tried('unknown@two.example')).toEqual(['unknown_user', undefined]);
    expect(await tried('fay@two.example')).toEqual(['no_group_assignment', undefined]);
    await join(grey);
    expect(await tried('FAY@two.example')).toEqual(['group_lacks_access', 'grey']);
    const access = { proxy_config_id: params.id, permissions: 'read,write', rate_limit: 10 };
    await admin.data(grantProxyAccess, { params: { id: green }, body: access });
    expect([(await signIn()).allowed_user_groups, await list()]).toEqual([
      [{ id: green, name: 'green', user_count: 0 }],
      [],
    ]);
    await join(green);
    expect(await tried('fay@two.example')).toEqual([null, 'green']);
    expect((await signIn()).allowed_user_groups).toEqual([{ id: green, name: 'green', user_count: 1 }]);
    expect(await list()).toEqual([has({ id: fresh, user_group: { id: green, name: 'green' } })]);
    await admin.data(deactivateOAuthUser, { params: { id: fresh } });
    expect(await tried('fay@two.example')).toEqual(['user_inactive', 'green']);
    expect(await list()).toEqual([]);
    expect(await admin.status(getProxySignIn, { params: { id: 4_711 } })).toBe(404);
  });

  test('what admins do for sign-ins is known under /admin, too, and to admins alone', async () => {
    const headers = { authorization: `Bearer ${management.adminToken}` };
    const open = (path: string, given = {}) => fetch(`${management.origin}/api/v1/${path}`, { headers: given });
    for (const path of ['oauth/users', 'oauth/providers?limit=1', 'oauth/providers/templates']) {
      const [plain, alias] = await Promise.all([open(path, headers), open(`Admin/${path}`, headers)]);
      expect([path, alias.status, await alias.json()]).toEqual([path, 200, await plain.json()]);
      expect((await open(`admin/${path}`)).status).toBe(401);
    }
    expect((await open('admin/oauthx/users', headers)).status).toBe(404);
  });
});
