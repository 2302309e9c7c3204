import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultProxySettings } from '@portcullis/contracts/proxy-settings';
import { createPolicy, deletePolicy, updatePolicy } from '@portcullis/contracts/routes/policies';
import {
  createProxy,
  deleteProxy,
  getProxy,
  listProxies,
  suggestPort,
  updateProxy,
} from '@portcullis/contracts/routes/proxies';
import {
  addProxyPolicy,
  listProxyPolicies,
  putProxyPolicies,
  removeProxyPolicy,
  replaceProxyPolicies,
} from '@portcullis/contracts/routes/proxy-policies';
import { examplePolicy } from '../../test/example-policy.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { targetAuthPlace } from '@portcullis/platform/security/sealed-places';
import { sql } from 'kysely';
import { checkOAuthSettingsOrThrow } from './check-oauth-settings.ts';

const unknown = { id: 999_999 };

describe.each(stores)('proxies (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  let port = 20_000;
  /** Fields that no other proxy has. */
  const fresh = () => {
    port += 1;
    return { name: `proxy-${port}`, type: 'llm', target: 'http://127.0.0.1:9/v1', port } as const;
  };
  const create = (fields: object = {}) => management.admin.data(createProxy, { body: { ...fresh(), ...fields } });

  test('are created with the defaults of the specification', async () => {
    const fields = fresh();
    expect(await management.admin.data(createProxy, { body: fields })).toEqual({
      ...fields,
      id: expect.any(Number),
      transport: 'http',
      description: '',
      enabled: true,
      auto_start: false,
      tags: [],
      public_url: `http://127.0.0.1:${fields.port}`,
      settings: {
        error_style: 'envelope',
        explain: false,
        block_response: 'http',
        allowed_methods: null,
        allowed_origins: defaultProxySettings.allowed_origins,
        canary_injection_rate: 0,
        usage_from_stream: 'auto',
        forward_gateway_key: false,
        rate_limit_refill: 'literal',
        on_store_failure: 'degrade',
        max_concurrent_requests: 0,
        target_connect_timeout_ms: null,
        target_headers_timeout_ms: null,
        target_idle_timeout_ms: null,
        target_total_timeout_ms: null,
        target_ca: null,
        public_url: null,
        tls_pair: null,
        tool_filtering: 'enforce',
        tool_change_action: 'hold',
        trusted_roles: null,
        system_prompt_max_body_size: 102_400,
        system_prompt_max_messages: 10,
        system_prompt_without_place: 'deny',
        unreadable_content: 'deny',
        oauth_proxy_enabled: false,
        oauth_proxy_mode: 'upstream',
        oauth_proxy_provider_id: null,
        oauth_proxy_authorization_server: 'gateway',
        oauth_proxy_audiences: [],
        oauth_proxy_resource: null,
        oauth_proxy_token_check: 'auto',
        oauth_proxy_url: null,
        oauth_proxy_scopes: [],
        oauth_proxy_token_lifetime: null,
        oauth_proxy_require_consent: true,
        oauth_proxy_trusted_clients: [],
        oauth_proxy_allowed_redirect_uris: [],
      },
      has_target_auth: false,
      policies: [
        expect.objectContaining({ name: 'llm-security', active: true }),
        expect.objectContaining({ name: 'llm-secrets', active: true }),
      ],
      policy_count: 2,
      active_policy_count: 2,
      warnings: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  test('are shown as they were created, in full and in the list', async () => {
    const created = await create({
      type: 'mcp',
      transport: 'sse',
      description: 'Tools of the warehouse',
      enabled: false,
      auto_start: true,
      tags: ['blue', 'green'],
      settings: { error_style: 'native' },
      policy_names: ['llm-secrets', 'llm-security'],
    });
    expect(created).toMatchObject({
      tags: ['blue', 'green'],
      settings: { error_style: 'native' },
      policy_count: 2,
      active_policy_count: 2,
      policies: [
        { name: 'llm-secrets', exists: true, active: true, severity: expect.any(String) },
        { name: 'llm-security', exists: true, active: true },
      ],
    });
    expect(await management.admin.data(getProxy, { params: { id: created.id } })).toEqual(created);
    expect(await management.admin.data(listProxies)).toContainEqual(created);
  });

  test.each(['llm', 'mcp'] as const)('of type %s have the built-in policies unless a list is given', async (type) => {
    const [builtin, none, alsoNone] = [
      await create({ type }),
      await create({ type, policy_names: [] }),
      await create({ type, policies: [] }),
    ];
    expect(builtin).toMatchObject({ active_policy_count: 2, warnings: [] });
    for (const proxy of [none, alsoNone]) {
      expect(proxy).toMatchObject({ policy_count: 0, warnings: ['No policy inspects its traffic'] });
      expect(await management.admin.data(listProxies)).toContainEqual(proxy);
    }
    // What was read can be written, and says nothing new of policies that are left out.
    const params = { id: none.id };
    expect(await management.admin.data(updateProxy, { params, body: { description: 'x' } })).toMatchObject({
      policy_count: 0,
    });
  });

  test('have no policy by themselves that was switched off, and tell of it where it was all', async () => {
    const builtin = await create({ policy_names: ['llm-secrets'] });
    const { kysely } = management.infrastructure.database;
    const switchAll = (active: boolean) =>
      kysely.updateTable('policies').set({ active }).where('name', 'in', ['llm-security', 'llm-secrets']).execute();
    await switchAll(false);
    const shown = await management.admin.data(getProxy, { params: { id: builtin.id } });
    const created = await create();
    await switchAll(true);
    expect(shown).toMatchObject({ policy_count: 1, warnings: ['No policy inspects its traffic'] });
    expect(created).toMatchObject({ policy_count: 0, warnings: ['No policy inspects its traffic'] });
  });

  test('show a policy for other traffic than theirs as assigned and not active', async () => {
    const document = {
      name: 'mcp only',
      policy_type: 'mcp',
      rules: [{ id: 'A', patterns: ['forbidden'], action: 'block' }],
    };
    await management.admin.data(createPolicy, { body: { document } });
    const created = await create({ type: 'llm', policy_names: ['mcp only', 'llm-secrets'] });
    expect(created.policies).toMatchObject([
      { name: 'mcp only', exists: true, active: false },
      { name: 'llm-secrets', exists: true, active: true },
    ]);
    expect(created.active_policy_count).toBe(1);
  });

  test('are listed by type, state and text', async () => {
    const one = await create({ name: 'Needle 100%', type: 'mcp', enabled: false });
    const names = async (query: object) =>
      (await management.admin.data(listProxies, { query })).map(({ name }) => name);
    expect(await names({ search: 'needle 100%' })).toEqual([one.name]);
    expect(await names({ search: 'needle 1_0' })).toEqual([]);
    expect(await names({ type: 'mcp', enabled: false })).toContain(one.name);
    expect(await names({ type: 'llm' })).not.toContain(one.name);
    expect(await names({ enabled: true })).not.toContain(one.name);
  });

  test('are listed by their tags, and with a slash at the end of the path as without', async () => {
    const { id } = await create({ tags: ['eu', 'blue team'] });
    await create({ tags: ['eu'] });
    const ids = async (tags: string) =>
      (await management.admin.data(listProxies, { query: { tags } })).map((p) => p.id);
    expect(await ids('blue team, eu')).toEqual([id]);
    expect(await ids('eu')).toHaveLength(2);
    expect(await ids('red')).toEqual([]);
    const answer = await fetch(`${management.origin}/api/v1/proxies/?tags=eu`, {
      headers: { authorization: `Bearer ${management.adminToken}` },
    });
    expect([answer.status, ((await answer.json()) as { data: unknown[] }).data.length]).toEqual([200, 2]);
  });

  test('can be written as they were read', async () => {
    const created = await create({ tags: ['x'], policy_names: ['llm-secrets'], settings: { error_style: 'native' } });
    const { updated_at: _, ...written } = await management.admin.data(updateProxy, {
      params: { id: created.id },
      body: created,
    });
    expect({ ...written, updated_at: created.updated_at }).toEqual(created);
  });

  test('take the synonyms of settings and policies', async () => {
    const created = await create({
      type: 'mcp',
      policies: ['llm-secrets'],
      config: { error_style: 'native', oauth_proxy_allowed_redirects: [] },
      settings: { block_response: 'tool_error' },
    });
    expect(created).toMatchObject({
      policies: [{ name: 'llm-secrets' }],
      settings: { error_style: 'native', block_response: 'tool_error', oauth_proxy_allowed_redirect_uris: [] },
    });
  });

  test('take no OAuth proxy that could not work', async () => {
    const refusal = (body: object) => management.admin.refusal(createProxy, { body: { ...fresh(), ...body } });
    expect(
      await refusal({
        type: 'llm',
        settings: { oauth_proxy_enabled: true, oauth_proxy_provider_id: 4711 },
        config: { oauth_proxy_allowed_redirects: ['http://a', 'cursor://*'] },
      }),
    ).toMatchObject({
      status: 400,
      problems: [
        { path: '/body/settings/oauth_proxy_allowed_redirect_uris/0', rule: expect.stringContaining('localhost') },
        { path: '/body/settings/oauth_proxy_enabled', rule: expect.stringContaining('type mcp') },
        { path: '/body/settings/oauth_proxy_provider_id', rule: expect.stringContaining('no provider 4711') },
      ],
    });
    const { database, config } = management.infrastructure;
    const settings = { oauth_proxy_enabled: true, oauth_proxy_mode: 'gateway', oauth_proxy_provider_id: 4711 };
    // Where no configuration says how the gateway is reached, and it cannot be this machine's own name.
    const refused = checkOAuthSettingsOrThrow(database, { type: 'mcp', settings }, { ...config, PORT: 0 });
    await expect(refused).rejects.toMatchObject({
      details: {
        problems: [
          { path: '/body/settings/oauth_proxy_enabled', rule: expect.stringContaining('PUBLIC_URL') },
          { path: '/body/settings/oauth_proxy_url', rule: expect.stringContaining('must say') },
          { path: '/body/settings/oauth_proxy_provider_id', rule: expect.stringContaining('no provider 4711') },
        ],
      },
    });
    const { id } = await create();
    const url = 'https://mcp.example.com/path';
    expect(
      await management.admin.refusal(updateProxy, { params: { id }, body: { settings: { oauth_proxy_url: url } } }),
    ).toMatchObject({ status: 400, problems: [{ path: '/body/settings/oauth_proxy_url' }] });
  });

  test('are not put in front of themselves', async () => {
    const refusal = (body: object) => management.admin.refusal(createProxy, { body: { ...fresh(), ...body } });
    const { id, port } = await create();
    const own = { target: `http://localhost:${port}/v1` };
    const refused = {
      status: 400,
      problems: [{ path: '/body/target', rule: expect.stringContaining('the proxy itself') }],
    };
    expect(await management.admin.refusal(updateProxy, { params: { id }, body: own })).toMatchObject(refused);
    expect(await refusal({ port: 24_998, target: 'http://127.0.0.1:24998' })).toMatchObject(refused);
  });

  test('are told which port is free', async () => {
    const { port: taken } = await create();
    expect(await management.admin.data(suggestPort, { query: { from: taken } })).toEqual({ port: taken + 1 });
    expect(await management.admin.data(suggestPort, { query: { from: 8_080 } })).toEqual({ port: 8_081 });
    expect(await management.admin.refusal(createProxy, { body: { ...fresh(), port: taken } })).toMatchObject({
      status: 409,
      data: { suggested_port: expect.any(Number) },
    });
    expect(await management.admin.status(suggestPort, { query: { from: 70_000 } })).toBe(400);
  });

  test('change only in the given fields, and in settings only in the given keys', async () => {
    const { id, ...before } = await create({ tags: ['a'], settings: { error_style: 'native' } });
    const after = await management.admin.data(updateProxy, {
      params: { id },
      body: { description: 'New', settings: { forward_gateway_key: true }, policy_names: ['llm-security'] },
    });
    expect(after).toMatchObject({
      name: before.name,
      tags: ['a'],
      description: 'New',
      settings: { error_style: 'native', forward_gateway_key: true },
      policies: [{ name: 'llm-security' }],
    });
    const emptied = await management.admin.data(updateProxy, { params: { id }, body: { tags: [], policy_names: [] } });
    expect(emptied).toMatchObject({ tags: [], policies: [], description: 'New' });
  });

  test('keep the credentials for their target sealed', async () => {
    const { id, ...created } = await create({
      target_auth: { header: 'Authorization', value: 'Bearer vendor-secret' },
    });
    expect(created.has_target_auth).toBe(true);
    expect(JSON.stringify(created)).not.toContain('vendor-secret');
    const { database, encryption } = management.infrastructure;
    const load = () => database.kysely.selectFrom('proxies').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { target_auth: sealed } = await load();
    expect(sealed).not.toContain('vendor-secret');
    expect(JSON.parse(encryption.decrypt(sealed ?? '', targetAuthPlace(id)[0]))).toEqual({
      header: 'Authorization',
      value: 'Bearer vendor-secret',
    });
    const changed = await management.admin.data(updateProxy, { params: { id }, body: { description: 'same secret' } });
    expect(changed.has_target_auth).toBe(true);
    const removed = await management.admin.data(updateProxy, { params: { id }, body: { target_auth: null } });
    expect([removed.has_target_auth, (await load()).target_auth]).toEqual([false, null]);
  });

  test('do not take their credentials along to another host', async () => {
    const { database, encryption } = management.infrastructure;
    const target = 'https://one.example/v1';
    const { id, ...rest } = await create({ target, target_auth: { header: 'X-Key', value: 'key-of-one' } });
    const stored = async () => {
      const row = await database.kysely
        .selectFrom('proxies')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return [row.target, row.target_auth && encryption.decrypt(row.target_auth, targetAuthPlace(row.id)[0])];
    };
    const change = (body: object) => management.admin.data(updateProxy, { params: { id }, body });
    for (const moved of ['https://two.example/v1', 'http://one.example/v1', 'https://one.example:8443/v1']) {
      // What was read may be written back, and says nothing of the credentials.
      for (const body of [{ target: moved }, { ...rest, target: moved }]) {
        expect(await management.admin.refusal(updateProxy, { params: { id }, body })).toMatchObject({
          status: 400,
          problems: [
            {
              path: '/body/target_auth',
              rule: 'must be sent again, for target names another host now; null removes it',
            },
          ],
        });
      }
    }
    expect(await stored()).toEqual([target, '{"header":"X-Key","value":"key-of-one"}']);
    expect((await management.admin.data(getProxy, { params: { id } })).updated_at).toBe(rest.updated_at);

    await change({ target: 'https://ONE.example:443/v2' });
    expect(await stored()).toEqual(['https://ONE.example:443/v2', '{"header":"X-Key","value":"key-of-one"}']);
    await change({ target: 'https://two.example', target_auth: { value: 'key-of-two' } });
    expect(await stored()).toEqual(['https://two.example', '{"value":"key-of-two"}']);
    await change({ target: 'http://three.example', target_auth: null });
    expect(await stored()).toEqual(['http://three.example', null]);
    await change({ target: 'http://four.example' });
    expect(await stored()).toEqual(['http://four.example', null]);
  });

  test('are refused with a taken name, a taken port or the port of the API, at create and at change', async () => {
    const holder = await create();
    const other = await create();
    const attempts = [
      [{ name: holder.name }, `There is a proxy "${holder.name}" already`],
      [
        { port: holder.port },
        expect.stringContaining(`Port ${holder.port} belongs to the proxy "${holder.name}" (${holder.id}); `),
      ],
      [{ port: 8_080 }, "Port 8080 is the management API's own"],
    ] as const;
    for (const [fields, message] of attempts) {
      const refused = { status: 409, error_code: 'CONFLICT', message };
      const body = { ...fresh(), ...fields };
      expect(await management.admin.refusal(createProxy, { body })).toMatchObject(refused);
      expect(await management.admin.refusal(updateProxy, { params: other, body: fields })).toMatchObject(refused);
    }
  });

  test.each([
    ['a port out of range', { port: 70_000 }, '/body/port', 'must be 65535 or less'],
    ['a port that is text', { port: '4000' }, '/body/port', 'must be a whole number'],
    ['an unknown field', { colour: 'red' }, '/body/colour', 'is not a known field'],
    ['an unknown setting', { settings: { speed: 9 } }, '/body/settings/speed', 'is not a known field'],
    [
      'a role that is spelled wrong',
      { settings: { trusted_roles: ['system', 'assistent'] } },
      '/body/settings/trusted_roles/1',
      expect.stringMatching(/^must be one of .*; did you mean "assistant"\?$/),
    ],
    [
      'an origin that is none',
      { settings: { allowed_origins: ['https://a b'] } },
      '/body/settings/allowed_origins/0',
      expect.stringMatching(/^must be an origin such as https:/),
    ],
    [
      'certificates that are none',
      { settings: { target_ca: 'trust me' } },
      '/body/settings/target_ca',
      'must be one or more certificates in PEM, and nothing else',
    ],
    [
      'a certificate that cannot be read',
      { config: { target_ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' } },
      '/body/config/target_ca',
      'certificate 1 cannot be read',
    ],
    ['a target that is no URL', { target: 'http://' }, '/body/target', 'must be an absolute URL'],
    ['a target of another scheme', { target: 'ftp://a.example' }, '/body/target', expect.any(String)],
    [
      'a target with a password',
      { target: 'http://u:p@a.example' },
      '/body/target',
      expect.stringContaining('password'),
    ],
    [
      'credentials in a header of the connection',
      { target_auth: { header: 'Host', value: 'x' } },
      '/body/target_auth/header',
      expect.any(String),
    ],
    [
      'credentials with a line break',
      { target_auth: { header: 'X-Key', value: 'a\r\nb' } },
      '/body/target_auth/value',
      expect.any(String),
    ],
    [
      'one policy twice',
      { policy_names: ['a', 'a'] },
      '/body/policy_names',
      expect.stringContaining('must not have an entry twice'),
    ],
  ])('are refused with %s', async (_name, fields, path, rule) => {
    const body = { ...fresh(), ...fields };
    const refusal = await management.admin.refusal(createProxy, { body });
    expect(refusal).toMatchObject({ status: 400, problems: [{ path, rule }] });
  });

  test('are deleted with their access entries, unless they are wanted to run', async () => {
    const proxy = await create();
    const { kysely } = management.infrastructure.database;
    const want = (state: string) =>
      kysely.updateTable('proxies').set({ desired_state: state }).where('id', '=', proxy.id).execute();
    await want('running');
    expect(await management.admin.refusal(deleteProxy, { params: proxy })).toMatchObject({
      status: 409,
      message: `Stop the proxy "${proxy.name}" before deleting it`,
    });
    await want('stopped');
    expect(await management.admin.status(deleteProxy, { params: proxy })).toBe(200);
    expect(await management.admin.status(getProxy, { params: proxy })).toBe(404);
  });

  test('that do not exist answer 404, ids that are none 400', async () => {
    for (const route of [getProxy, updateProxy, deleteProxy, listProxyPolicies]) {
      const refusal = await management.admin.refusal(route, {
        params: unknown,
        ...(route === updateProxy && { body: {} }),
      });
      expect(refusal).toMatchObject({ status: 404, message: 'There is no proxy 999999' });
      for (const id of ['x', '0', '-1', '1.5', '99999999999']) {
        expect(
          await management.admin.status(route, { params: { id }, ...(route === updateProxy && { body: {} }) }),
        ).toBe(400);
      }
    }
  });

  describe('policies of a proxy', () => {
    test('are replaced, added and removed, in the order of their assignment', async () => {
      await management.admin.data(createPolicy, { body: { document: examplePolicy('mine') } });
      const { id } = await create();
      const names = (answer: { assigned_policies: string[] }) => answer.assigned_policies;
      const add = (policyName: string) => management.admin.data(addProxyPolicy, { params: { id, policyName } });

      const replaced = await management.admin.data(replaceProxyPolicies, {
        params: { id },
        body: { policy_names: ['mine', 'llm-secrets'] },
      });
      expect(names(replaced)).toEqual(['mine', 'llm-secrets']);
      expect(names(await add('llm-security'))).toEqual(['mine', 'llm-secrets', 'llm-security']);
      expect(names(await add('mine'))).toEqual(['mine', 'llm-secrets', 'llm-security']);
      const removed = await management.admin.data(removeProxyPolicy, { params: { id, policyName: 'llm-secrets' } });
      expect(names(removed)).toEqual(['mine', 'llm-security']);
      expect(await management.admin.data(listProxyPolicies, { params: { id } })).toEqual(removed);
      expect(removed.available_policies).toContainEqual({
        id: expect.any(Number),
        name: 'mine',
        description: '',
        version: '1.0',
        severity: 'High',
        policy_type: 'both',
        assigned: true,
        mode: 'enforce',
        active: true,
      });
      expect(removed.available_policies).toContainEqual(
        expect.objectContaining({ name: 'llm-secrets', assigned: false }),
      );
      const emptied = await management.admin.data(replaceProxyPolicies, { params: { id }, body: { policy_names: [] } });
      expect(names(emptied)).toEqual([]);
    });

    test('that do not exist are refused with the names that may be meant', async () => {
      const { id } = await create({ policy_names: ['llm-security'] });
      const near = (rule: string) => expect.stringMatching(rule) as unknown;
      const rule = near('there is no "llm-securty"; did you mean "llm-security"');
      const names = ['llm-secrets', 'llm-securty'];
      for (const [field, refused] of [
        ['policy_names', management.admin.refusal(updateProxy, { params: { id }, body: { policy_names: names } })],
        ['policies', management.admin.refusal(updateProxy, { params: { id }, body: { policies: names } })],
        [
          'policy_names',
          management.admin.refusal(replaceProxyPolicies, { params: { id }, body: { policy_names: names } }),
        ],
        ['policies', management.admin.refusal(replaceProxyPolicies, { params: { id }, body: { policies: names } })],
      ] as const) {
        expect(await refused).toMatchObject({ status: 400, problems: [{ path: `/body/${field}/1`, rule }] });
      }
      const body = { name: 'typed wrong', type: 'llm' as const, target: 'http://127.0.0.1:9', port: 24_999 };
      expect(await management.admin.status(createProxy, { body: { ...body, policy_names: names } })).toBe(400);
      expect(
        await management.admin.refusal(addProxyPolicy, { params: { id, policyName: 'llm-secret' } }),
      ).toMatchObject({
        status: 404,
        message: near('did you mean "llm-secrets"'),
      });
      const { assigned_policies } = await management.admin.data(listProxyPolicies, { params: { id } });
      expect(assigned_policies).toEqual(['llm-security']);
    });

    test('are replaced by PUT as by POST', async () => {
      const { id } = await create({ policy_names: ['llm-security'] });
      const change = { params: { id }, body: { policy_names: ['llm-secrets'] } };
      const { assigned_policies: assigned } = await management.admin.data(putProxyPolicies, change);
      expect(assigned).toEqual(['llm-secrets']);
      expect(await management.admin.status(putProxyPolicies, { params: { id }, body: {} })).toBe(400);
    });

    test('are named by their ids as well', async () => {
      const { id, policies } = await create({ policy_names: ['llm-security'] });
      const listed = await management.admin.data(listProxyPolicies, { params: { id } });
      const idOf = (name: string): number => listed.available_policies.find((one) => one.name === name)?.id ?? 0;
      const [security, secrets] = [idOf('llm-security'), idOf('llm-secrets')];
      expect(policies).toHaveLength(1);
      const names = async (changed: Promise<{ assigned_policies: string[] }>) => (await changed).assigned_policies;
      const change = { params: { id }, body: { policy_names: [secrets, 'llm-security', String(secrets)] } };
      expect(await names(management.admin.data(replaceProxyPolicies, change))).toEqual(['llm-secrets', 'llm-security']);
      const one = { params: { id, policyName: String(secrets) } };
      expect(await names(management.admin.data(removeProxyPolicy, one))).toEqual(['llm-security']);
      expect(await names(management.admin.data(addProxyPolicy, one))).toEqual(['llm-security', 'llm-secrets']);
      const updated = await management.admin.data(updateProxy, { params: { id }, body: { policies: [security] } });
      expect(updated.policies.map(({ name }) => name)).toEqual(['llm-security']);
      expect(
        await management.admin.refusal(updateProxy, { params: { id }, body: { policies: [security, 999_999] } }),
      ).toMatchObject({ problems: [{ path: '/body/policies/1', rule: 'must name a policy: there is no "999999"' }] });
      expect(await management.admin.refusal(updateProxy, { params: { id }, body: { policies: [true] } })).toMatchObject(
        {
          problems: [
            { path: '/body/policies/0', rule: 'must be the name of a policy, its id, or an object with its name' },
          ],
        },
      );
    });

    test('that stand there under a name of no policy stay when they are sent back, and old names find theirs', async () => {
      await management.admin
        .data(createPolicy, { body: { document: examplePolicy('mcp-critical-security') } })
        .catch(() => undefined);
      const { id } = await create({ type: 'mcp', policy_names: ['critical-security', 'mcp-critical-security'] });
      const policies = await management.admin.data(listProxyPolicies, { params: { id } });
      expect([policies.assigned_policies, policies.unknown_policies]).toEqual([['mcp-critical-security'], []]);
      await sql`insert into proxy_policies (proxy_id, policy_name, position) values (${id}, 'not-yet', 9)`.execute(
        management.infrastructure.database.kysely,
      );
      const replaced = await management.admin.data(replaceProxyPolicies, {
        params: { id },
        body: { policies: ['not-yet', 'llm-secrets'] },
      });
      expect(replaced).toMatchObject({ assigned_policies: ['not-yet', 'llm-secrets'], unknown_policies: ['not-yet'] });
      const params = { id, policyName: 'critical-security' };
      expect((await management.admin.data(addProxyPolicy, { params })).assigned_policies).toContain(
        'mcp-critical-security',
      );
      expect((await management.admin.data(removeProxyPolicy, { params })).assigned_policies).toHaveLength(2);
      expect(await management.admin.refusal(replaceProxyPolicies, { params: { id }, body: {} })).toMatchObject({
        status: 400,
        problems: [{ path: '/body/policy_names', rule: 'is required' }],
      });
    });

    test('of a proxy that does not exist, or that it does not have, answer 404', async () => {
      const policyName = 'llm-security';
      const { id } = await create({ policy_names: [] });
      const body = { policy_names: [policyName] };
      expect(await management.admin.status(replaceProxyPolicies, { params: unknown, body })).toBe(404);
      expect(await management.admin.status(replaceProxyPolicies, { params: unknown, body: { policy_names: [] } })).toBe(
        404,
      );
      expect(await management.admin.status(addProxyPolicy, { params: { ...unknown, policyName } })).toBe(404);
      expect(await management.admin.status(removeProxyPolicy, { params: { id, policyName } })).toBe(404);
    });
  });

  test('many changes at once leave every proxy with one of the wanted states, and none fails', async () => {
    const { admin } = management;
    const [one, other] = [await create(), await create()];
    const lists = [['a'], ['a', 'b'], ['b', 'c', 'a'], [], ['llm-security', 'b']];
    const policies = await Promise.all(
      ['a', 'b', 'c'].map((name) => admin.data(createPolicy, { body: { document: examplePolicy(name) } })),
    );
    const statuses = await Promise.all([
      ...lists.flatMap((names) => [
        admin.status(replaceProxyPolicies, { params: one, body: { policy_names: names } }),
        admin.status(updateProxy, { params: other, body: { policy_names: names, description: names.join() } }),
      ]),
      ...policies.map((policy) => admin.status(updatePolicy, { params: policy, body: { active: false } })),
      ...['b', 'c'].map((policyName) => admin.status(addProxyPolicy, { params: { id: other.id, policyName } })),
      admin.status(removeProxyPolicy, { params: { id: one.id, policyName: 'a' } }),
    ]);
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    const last = await admin.data(updateProxy, { params: other, body: { policy_names: ['c', 'a'] } });
    expect(last.policies.map(({ name }) => name)).toEqual(['c', 'a']);

    const mixed = await Promise.all([
      ...policies.map((policy) => admin.status(deletePolicy, { params: policy })),
      ...lists.map((names) => admin.status(replaceProxyPolicies, { params: other, body: { policy_names: names } })),
      admin.status(deleteProxy, { params: one }),
    ]);
    // A caller who names a policy that was deleted a moment before is told so.
    expect(mixed.filter((status) => status !== 200 && status !== 400)).toEqual([]);
  });
});
