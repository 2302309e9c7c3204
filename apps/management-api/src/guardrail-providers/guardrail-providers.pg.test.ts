import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  assignGuardrailProvider,
  createGuardrailProvider,
  deleteGuardrailProvider,
  getGuardrailProvider,
  listGuardrailAssignments,
  listGuardrailProviders,
  listGuardrailTypes,
  removeGuardrailAssignment,
  updateGuardrailAssignment,
  updateGuardrailProvider,
} from '@portcullis/contracts/routes/guardrail-providers';
import { createProxy, deleteProxy } from '@portcullis/contracts/routes/proxies';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { guardrailCredentialsPlace } from '@portcullis/platform/security/sealed-places';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const unknown = 999_999;

describe.each(stores)('guardrail providers (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  let counter = 0;
  const unique = (word: string) => `${word}-${(counter += 1)}`;
  const create = (fields: object = {}) =>
    management.admin.data(createGuardrailProvider, {
      body: {
        name: unique('lakera'),
        provider_type: 'lakera',
        credentials: { api_key: 'lakera-key' },
        ...fields,
      },
    });
  const createTarget = () =>
    management.admin.data(createProxy, {
      body: { name: unique('llm'), type: 'llm', target: 'http://127.0.0.1:9', port: 25_000 + counter },
    });
  const storedCredentials = async (id: number) => {
    const { database, encryption } = management.infrastructure;
    const row = await database.kysely
      .selectFrom('guardrail_providers')
      .select('credentials')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.credentials && encryption.decrypt(row.credentials, guardrailCredentialsPlace(id)[0]);
  };
  const auditOf = (id: number) =>
    management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('resource_type', '=', 'guardrail_provider')
      .where('resource_id', '=', String(id))
      .orderBy('id')
      .execute();

  test('are created with the defaults of their type, and never show their secrets', async () => {
    const provider = await create();
    expect(provider).toEqual({
      id: expect.any(Number),
      name: expect.stringMatching(/^lakera-/),
      description: '',
      provider_type: 'lakera',
      config: { scope: 'newest', base_url: 'https://api.lakera.ai/v2', project_id: '' },
      credentials: { api_key: '********' },
      direction: 'request',
      action: 'block',
      failure_mode: 'open',
      timeout_ms: 5_000,
      priority: 0,
      min_confidence: 0,
      alert_on_failure: true,
      alert_on_violation: true,
      log_content: false,
      enabled: true,
      health: { status: 'unknown', message: null, latency_ms: null, checked_at: null },
      assignment_count: 0,
      passed_unchecked: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await management.admin.data(getGuardrailProvider, { params: provider })).toEqual(provider);
    expect(await storedCredentials(provider.id)).toBe('{"api_key":"lakera-key"}');
    expect(JSON.stringify(await auditOf(provider.id))).not.toContain('lakera-key');
  });

  test('keep a secret that comes back as a mask, and take a new one', async () => {
    const provider = await create();
    const change = (body: object) => management.admin.data(updateGuardrailProvider, { params: provider, body });
    await change({ credentials: provider.credentials, timeout_ms: 500 });
    expect(await storedCredentials(provider.id)).toBe('{"api_key":"lakera-key"}');
    const changed = await change({ credentials: { api_key: 'new-key' }, config: { project_id: 'p-1' } });
    expect(changed).toMatchObject({ timeout_ms: 500, config: { project_id: 'p-1', scope: 'newest' } });
    expect(await storedCredentials(provider.id)).toBe('{"api_key":"new-key"}');
    expect((await auditOf(provider.id)).map(({ event_type, details }) => [event_type, details])).toEqual([
      ['guardrail.provider.created', {}],
      ['guardrail.provider.updated', { credentials_replaced: [] }],
      ['guardrail.provider.updated', { credentials_replaced: ['api_key'] }],
    ]);
    const refused = { params: provider, body: { credentials: { api_key: '' } } };
    expect(await management.admin.refusal(updateGuardrailProvider, refused)).toMatchObject({
      status: 400,
      problems: [{ path: '/body/credentials/api_key', rule: 'is required' }],
    });
  });

  test('do not take their secrets along to another host', async () => {
    const provider = await create({ config: { base_url: 'https://one.example/v2' } });
    const move = (address: string, credentials?: Record<string, string>) => ({
      params: provider,
      body: { config: { base_url: address }, ...(credentials && { credentials }) },
    });
    for (const address of ['https://two.example/v2', 'http://one.example/v2', 'https://one.example:8443/v2']) {
      for (const credentials of [undefined, provider.credentials]) {
        expect(await management.admin.refusal(updateGuardrailProvider, move(address, credentials))).toMatchObject({
          status: 400,
          problems: [
            {
              path: '/body/credentials/api_key',
              rule: 'must be sent again, for config.base_url names another host now; an empty text removes it',
            },
          ],
        });
      }
    }
    expect(await management.admin.data(getGuardrailProvider, { params: provider })).toEqual(provider);
    await management.admin.data(updateGuardrailProvider, move('https://one.example/v3'));
    const moved = await management.admin.data(
      updateGuardrailProvider,
      move('https://two.example/v2', { api_key: 'key-of-two' }),
    );
    expect(moved.config).toMatchObject({ base_url: 'https://two.example/v2' });
    expect(await storedCredentials(provider.id)).toBe('{"api_key":"key-of-two"}');
  });

  test('are refused with every field that their type does not allow', async () => {
    const refuse = async (provider_type: string, fields: object) => {
      const body = { name: unique('x'), provider_type, ...fields };
      const { status, problems } = await management.admin.refusal(createGuardrailProvider, { body });
      return [status, ...(problems ?? []).map(({ path }) => path)];
    };
    expect(await refuse('lakera', {})).toEqual([400, '/body/credentials/api_key']);
    expect(await refuse('bedrock', { config: { region: 'eu west' } })).toEqual([
      400,
      '/body/config/guardrail_id',
      '/body/config/region',
      '/body/credentials/access_key_id',
      '/body/credentials/secret_access_key',
    ]);
    expect(
      await refuse('openai_moderation', { config: { base_url: 'http://169.254.169.254/v1', flavour: 1 } }),
    ).toEqual([400, '/body/config/flavour', '/body/config/base_url']);
    const http = { url: 'http://127.0.0.1:9/check', verdict_path: 'flagged', headers: { Host: 'elsewhere' } };
    expect(await refuse('http', { config: http })).toEqual([400, '/body/config/headers']);
    for (const model of ['../models', '/etc', 'a/b', '.hidden', ''])
      expect(await refuse('local-model', { config: { model } })).toEqual([400, '/body/config/model']);
    for (const file of ['../model.onnx', 'a/b/model.onnx', 'passwd', '/model.onnx'])
      expect(await refuse('local-model', { config: { model: 'guard', file } })).toEqual([400, '/body/config/file']);
    expect(await refuse('palantir', {})).toEqual([400, '/body/provider_type']);
    const key = { credentials: { api_key: 'k' } };
    expect(await refuse('lakera', { ...key, timeout_ms: 499 })).toEqual([400, '/body/timeout_ms']);
    expect(await refuse('lakera', { ...key, timeout_ms: 60_001 })).toEqual([400, '/body/timeout_ms']);
    expect(await refuse('lakera', { ...key, min_confidence: 1.1 })).toEqual([400, '/body/min_confidence']);
  });

  test('show the headers of a provider to no one, and keep them for the host they were given for', async () => {
    const config = { url: 'http://127.0.0.1:9/check', verdict_path: 'flagged', headers: { 'X-Team': 'red-secret' } };
    const provider = await management.admin.data(createGuardrailProvider, {
      body: { name: unique('headers'), provider_type: 'http', config },
    });
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    const masked = { headers: { 'X-Team': '********' } };
    expect(provider.config).toMatchObject(masked);
    expect((await viewer.data(getGuardrailProvider, { params: provider })).config).toMatchObject(masked);
    expect(JSON.stringify(await viewer.data(listGuardrailProviders))).not.toContain('red-secret');

    const stored = async () => {
      const { kysely } = management.infrastructure.database;
      const row = await kysely
        .selectFrom('guardrail_providers')
        .select('config')
        .where('id', '=', provider.id)
        .executeTakeFirstOrThrow();
      return row.config as unknown as typeof config;
    };
    const update = (change: object) =>
      management.admin.refusal(updateGuardrailProvider, {
        params: provider,
        body: { config: { ...config, ...change } },
      });
    const moved = { ...config, ...masked, url: 'http://127.0.0.1:9/other' };
    await management.admin.data(updateGuardrailProvider, { params: provider, body: { config: moved } });
    expect(await stored()).toMatchObject({ url: 'http://127.0.0.1:9/other', headers: { 'X-Team': 'red-secret' } });
    expect(await update({ ...masked, url: 'http://127.0.0.1:10/check' })).toMatchObject({
      status: 400,
      problems: [{ path: '/body/config/headers/X-Team' }],
    });
    expect(await update({ headers: { 'X-Other': '********' } })).toMatchObject({ status: 400 });
    expect((await stored()).headers).toEqual({ 'X-Team': 'red-secret' });
    const audit = await management.infrastructure.database.kysely.selectFrom('audit_log').selectAll().execute();
    expect(JSON.stringify(audit)).not.toContain('red-secret');
  });

  test('have a name of their own and a list with its total', async () => {
    const provider = await create({ description: 'first' });
    const taken = { body: { name: provider.name, provider_type: 'openai_moderation' } };
    expect(await management.admin.refusal(createGuardrailProvider, taken)).toMatchObject({ status: 409 });
    const other = await management.admin.data(createGuardrailProvider, {
      body: { name: unique('moderation'), provider_type: 'openai_moderation', enabled: false },
    });
    expect(other.credentials).toEqual({});
    expect(
      await management.admin.status(updateGuardrailProvider, { params: other, body: { name: provider.name } }),
    ).toBe(409);
    const query = { search: 'MODERATION', limit: 1 };
    expect(await management.admin.data(listGuardrailProviders, { query })).toEqual({
      providers: [other],
      total: 1,
      limit: 1,
      offset: 0,
    });
    const found = await management.admin.data(listGuardrailProviders, { query: { enabled: true } });
    expect(found.providers.map(({ name }) => name)).not.toContain(other.name);
    const types = await management.admin.data(listGuardrailTypes);
    expect(types.map(({ provider_type }) => provider_type)).toContain('azure_content_safety');
  });

  test('are assigned to proxies and teams, once', async () => {
    const [provider, proxy] = [await create(), await createTarget()];
    const group = await management.admin.data(createUserGroup, { body: { name: unique('group') } });
    const assign = (body: object) => ({ params: provider, body: { proxy_id: proxy.id, ...body } });
    const all = await management.admin.data(assignGuardrailProvider, assign({}));
    expect(all).toEqual({
      id: expect.any(Number),
      provider_id: provider.id,
      provider_name: provider.name,
      proxy_id: proxy.id,
      proxy_name: proxy.name,
      user_group_id: null,
      user_group_name: null,
      priority: 0,
      enabled: true,
      created_at: expect.any(String),
    });
    const own = await management.admin.data(assignGuardrailProvider, assign({ user_group_id: group.id, priority: 9 }));
    expect(own).toMatchObject({ user_group_id: group.id, user_group_name: group.name, priority: 9 });
    expect(await management.admin.status(assignGuardrailProvider, assign({}))).toBe(409);
    expect(await management.admin.status(assignGuardrailProvider, assign({ proxy_id: unknown }))).toBe(404);
    expect(await management.admin.status(assignGuardrailProvider, assign({ user_group_id: unknown }))).toBe(404);

    const params = { id: provider.id, assignmentId: own.id };
    const switched = await management.admin.data(updateGuardrailAssignment, { params, body: { enabled: false } });
    expect(switched).toEqual({ ...own, enabled: false });
    const query = { proxy_id: proxy.id };
    expect(await management.admin.data(listGuardrailAssignments, { query })).toEqual({
      assignments: [all, switched],
      total: 2,
      limit: 100,
      offset: 0,
    });
    expect((await management.admin.data(getGuardrailProvider, { params: provider })).assignment_count).toBe(2);
    expect(await management.admin.status(removeGuardrailAssignment, { params })).toBe(200);
    expect(await management.admin.status(removeGuardrailAssignment, { params })).toBe(404);
    expect((await auditOf(provider.id)).map(({ event_type }) => event_type)).toEqual([
      'guardrail.provider.created',
      'guardrail.provider.assigned',
      'guardrail.provider.assigned',
      'guardrail.provider.assigned',
      'guardrail.provider.unassigned',
    ]);
    const kinds = await management.infrastructure.database.kysely
      .selectFrom('config_changes')
      .select('kind')
      .where('kind', 'like', 'guardrail%')
      .execute();
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['guardrail_providers', 'guardrail_assignments']));

    expect(await management.admin.status(deleteProxy, { params: proxy })).toBe(200);
    expect(await management.admin.data(listGuardrailAssignments, { query })).toMatchObject({ total: 0 });
  });

  test('leave with their assignments, and are read by viewers only', async () => {
    const [provider, proxy] = [await create(), await createTarget()];
    await management.admin.data(assignGuardrailProvider, { params: provider, body: { proxy_id: proxy.id } });
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.status(getGuardrailProvider, { params: provider })).toBe(200);
    expect(await viewer.status(updateGuardrailProvider, { params: provider, body: {} })).toBe(403);
    expect(await management.admin.status(deleteGuardrailProvider, { params: provider })).toBe(200);
    for (const route of [getGuardrailProvider, deleteGuardrailProvider]) {
      expect(await management.admin.status(route, { params: provider })).toBe(404);
    }
    expect(await management.admin.status(updateGuardrailProvider, { params: { id: unknown }, body: {} })).toBe(404);
  });
});
