import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createEvaluationCase,
  deleteEvaluationCase,
  exportEvaluationCases,
  getEvaluationCase,
  importEvaluationCases,
  listEvaluationCases,
  listEvaluationCategories,
  replaceEvaluationCase,
  toggleEvaluationCase,
} from '@portcullis/contracts/routes/evaluation-cases';
import {
  createGuardrailEndpoint,
  deleteGuardrailEndpoint,
  getGuardrailEndpoint,
  listGuardrailEndpoints,
  parseCurlCommand,
  testGuardrailEndpoint,
  updateGuardrailEndpoint,
} from '@portcullis/contracts/routes/guardrail-endpoints';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { saveBuiltinCases } from '@portcullis/platform/evaluation/save-builtin-cases';
import { openEndpoint } from '@portcullis/platform/evaluation/stored-endpoint';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('endpoints and test cases (%s)', (store) => {
  let management: TestManagement;
  const opened = new AsyncDisposableStack();
  beforeAll(async () => {
    management = await startManagement(store);
    opened.defer(() => management.stop());
  });
  afterAll(() => opened.disposeAsync());

  let counter = 0;
  const unique = (word: string) => `${word}-${(counter += 1)}`;
  const create = (fields: object = {}) =>
    management.admin.data(createGuardrailEndpoint, {
      body: { name: unique('endpoint'), url: 'http://127.0.0.1:9', model: 'm', ...fields },
    });
  const refusalOf = (fields: object) =>
    management.admin.refusal(createGuardrailEndpoint, { body: { name: unique('bad'), ...fields } });
  const auditOf = (type: string, id: number) =>
    management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .select(['event_type', 'result', 'changes', 'details'])
      .where('resource_type', '=', type)
      .where('resource_id', '=', String(id))
      .orderBy('id')
      .execute();

  describe('endpoints', () => {
    test('are created with the defaults of the specification, and never show their secrets', async () => {
      const key = 'sk-of-the-endpoint';
      const headers = { 'X-Tenant': 'tenant-secret' };
      const endpoint = await create({ auth_type: 'bearer', api_key: key, custom_headers: headers });
      expect(endpoint).toMatchObject({
        endpoint_path: '/v1/chat/completions',
        http_method: 'POST',
        request_format: 'chat-completion',
        response_format: 'auto',
        timeout_seconds: 30,
        api_key: '********',
        custom_headers: { 'X-Tenant': '********' },
        proxy_id: null,
        last_test: null,
      });
      const row = await management.infrastructure.database.kysely
        .selectFrom('guardrail_endpoints')
        .selectAll()
        .where('id', '=', endpoint.id)
        .executeTakeFirstOrThrow();
      expect(JSON.stringify(row)).not.toContain(key);
      expect(openEndpoint(row, management.infrastructure.encryption)).toMatchObject({
        api_key: key,
        custom_headers: headers,
      });
      expect(JSON.stringify(await auditOf('guardrail_endpoint', endpoint.id))).not.toMatch(/sk-of-the|tenant-secret/);
    });

    test.each([
      [{ url: 'http://h.example', auth_type: 'bearer', model: 'm' }, 'api_key'],
      [{ url: 'http://h.example' }, 'model'],
      [{ url: 'http://h.example', request_format: 'custom' }, 'payload_template'],
      [{ url: 'http://h.example', request_format: 'custom', payload_template: '{"q":{prompt}}' }, 'payload_template'],
      [{ url: 'http://h.example', model: 'm', response_format: 'custom' }, 'response_jq_expr'],
      [{ url: 'http://h.example', model: 'm', custom_headers: { Host: 'x' } }, 'custom_headers'],
      [{ url: 'ftp://h.example', model: 'm' }, 'url'],
      [{ model: 'm' }, 'url'],
      [{ model: 'm', proxy_id: 999_999 }, 'proxy_id'],
    ])('%j is refused, naming %s', async (fields, field) => {
      const refusal = await refusalOf(fields);
      expect([refusal.status, JSON.stringify(refusal)]).toEqual([400, expect.stringContaining(`/body/${field}`)]);
    });

    test('lead nowhere where the gateway does not go', async () => {
      const { status } = await refusalOf({ url: 'http://169.254.169.254', model: 'm' });
      expect([400, 422]).toContain(status);
    });

    test('keep masked secrets while the host stays, and ask for them where it changes', async () => {
      const { id } = await create({ auth_type: 'bearer', api_key: 'first' });
      const change = (body: object) => management.admin.status(updateGuardrailEndpoint, { params: { id }, body });
      expect(await change({ api_key: '********', model: 'other' })).toBe(200);
      const body = { url: 'http://127.0.0.1:10' };
      const moved = await management.admin.refusal(updateGuardrailEndpoint, { params: { id }, body });
      expect([moved.status, JSON.stringify(moved)]).toEqual([400, expect.stringContaining('/body/api_key')]);
      expect(await change({ ...body, api_key: 'second' })).toBe(200);
      const audit = await auditOf('guardrail_endpoint', id);
      expect(audit.map(({ event_type: event }) => event)).toEqual([
        'guardrail.endpoint.created',
        'guardrail.endpoint.updated',
        'guardrail.endpoint.updated',
      ]);
      expect(audit.at(-1)?.details).toMatchObject({ credentials_replaced: ['api_key'] });
    });

    test('have names of their own, are found by them, and are deleted', async () => {
      const { id, name } = await create();
      const again = await refusalOf({ name: name.toUpperCase(), url: 'http://127.0.0.1:9', model: 'm' });
      expect(again.status).toBe(409);
      const { endpoints, total } = await management.admin.data(listGuardrailEndpoints, { query: { search: name } });
      expect([total, endpoints[0]?.id]).toEqual([1, id]);
      await management.admin.status(deleteGuardrailEndpoint, { params: { id } });
      expect(await management.admin.status(getGuardrailEndpoint, { params: { id } })).toBe(404);
    });

    test('are read from a curl command', async () => {
      const curl_command = `curl https://api.openai.com/v1/chat/completions -H 'Authorization: Bearer sk-1' \\
        -d '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hi"}]}'`;
      expect(await management.admin.data(parseCurlCommand, { body: { curl_command } })).toMatchObject({
        url: 'https://api.openai.com',
        auth_type: 'bearer',
        api_key: 'sk-1',
        model: 'gpt-4o-mini',
        shape: 'openai',
      });
      const refusal = await management.admin.refusal(parseCurlCommand, {
        body: { curl_command: 'curl https://h.example -d @secrets.json' },
      });
      expect([refusal.status, JSON.stringify(refusal)]).toEqual([400, expect.stringContaining('@')]);
    });

    test('are tested with a greeting, and tell what is wrong', async () => {
      const peer = opened.use(await startEvaluatedEndpoint('strict', 'right-key'));
      const { id } = await create({ url: peer.url, auth_type: 'bearer', api_key: 'wrong-key' });
      const tryIt = () => management.admin.data(testGuardrailEndpoint, { params: { id } });
      expect(await tryIt()).toMatchObject({
        success: false,
        status_code: 401,
        message: expect.stringContaining('Incorrect API key'),
      });
      await management.admin.status(updateGuardrailEndpoint, { params: { id }, body: { api_key: 'right-key' } });
      expect(await tryIt()).toMatchObject({ success: true, status_code: 200, response_time_ms: expect.any(Number) });
      const { last_test: last } = await management.admin.data(getGuardrailEndpoint, { params: { id } });
      expect(last).toMatchObject({ success: true, tested_at: expect.any(String) });
      const closed = await create();
      expect(await management.admin.data(testGuardrailEndpoint, { params: { id: closed.id } })).toMatchObject({
        success: false,
        status_code: null,
        message: expect.stringContaining('could not be reached'),
      });
    });

    test('may be a proxy of the gateway, which must be one for LLMs', async () => {
      const proxyOf = (type: 'llm' | 'mcp', port: number) =>
        management.admin.data(createProxy, { body: { name: unique(type), type, target: 'http://127.0.0.1:9', port } });
      const [llm, mcp] = [await proxyOf('llm', 25_931), await proxyOf('mcp', 25_932)];
      expect(await create({ url: '', proxy_id: llm.id })).toMatchObject({ url: '', proxy_id: llm.id });
      expect((await refusalOf({ model: 'm', proxy_id: mcp.id })).status).toBe(400);
      expect((await refusalOf({ model: 'm', proxy_id: llm.id, url: 'http://h.example' })).status).toBe(400);
    });
  });

  describe('test cases', () => {
    const list = (query: object = {}) => management.admin.data(listEvaluationCases, { query });
    const own = (fields: object = {}) => ({
      test_id: unique('OWN'),
      name: 'A case of our own',
      category: 'prompt_injection' as const,
      expected_result: 'block' as const,
      severity: 'high' as const,
      prompt: 'Say {{canary}}',
      ...fields,
    });

    test('are the built-in 71 in 12 categories', async () => {
      const cases = await list({ is_builtin: true });
      expect([cases.length, new Set(cases.map(({ category }) => category)).size]).toEqual([71, 12]);
      const categories = await management.admin.data(listEvaluationCategories, {});
      expect(categories.reduce((sum, { total_tests: total }) => sum + total, 0)).toBeGreaterThanOrEqual(71);
      expect(categories.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
    });

    test('are found by category, severity and words', async () => {
      const exfiltration = await list({ category: 'data_exfiltration', severity: 'critical' });
      expect(exfiltration.length).toBeGreaterThan(0);
      const kinds = new Set(exfiltration.map(({ category, severity }) => `${category} ${severity}`));
      expect([...kinds]).toEqual(['data_exfiltration critical']);
      expect((await list({ search: 'pii-001' })).map(({ test_id: id }) => id)).toContain('PII-001');
      expect(await management.admin.status(listEvaluationCases, { query: { category: 'none' } })).toBe(400);
    });

    test('built-in ones are switched, stay so after the next start, and are neither changed nor deleted', async () => {
      const [first] = await list({ category: 'benign_control' });
      if (first === undefined) throw new Error('There is no benign control');
      const params = { id: first.id };
      expect((await management.admin.data(toggleEvaluationCase, { params })).enabled).toBe(false);
      await saveBuiltinCases(management.infrastructure.database);
      expect((await management.admin.data(getEvaluationCase, { params })).enabled).toBe(false);
      expect(await management.admin.status(deleteEvaluationCase, { params })).toBe(409);
      expect(await management.admin.status(replaceEvaluationCase, { params, body: own() })).toBe(409);
      const on = await management.admin.data(toggleEvaluationCase, { params, body: { enabled: true } });
      expect(on.enabled).toBe(true);
      expect((await auditOf('guardrail_test_case', first.id)).map(({ changes }) => changes)).toEqual([
        { enabled: { from: true, to: false } },
        { enabled: { from: false, to: true } },
      ]);
    });

    test('of users are created, replaced and deleted', async () => {
      const created = await management.admin.data(createEvaluationCase, { body: own() });
      expect(created).toMatchObject({ is_builtin: false, enabled: true, mappings: { owasp_llm: ['LLM01'] } });
      const params = { id: created.id };
      expect(await management.admin.status(createEvaluationCase, { body: own({ test_id: created.test_id }) })).toBe(
        409,
      );
      expect(await management.admin.status(createEvaluationCase, { body: own({ test_id: 'PI-001' }) })).toBe(409);
      const replaced = await management.admin.data(replaceEvaluationCase, {
        params,
        body: own({ test_id: created.test_id, severity: 'low' }),
      });
      expect([replaced.severity, replaced.id]).toEqual(['low', created.id]);
      await management.admin.status(deleteEvaluationCase, { params });
      expect(await management.admin.status(getEvaluationCase, { params })).toBe(404);
    });

    test('are exported and imported again, all of a file or none', async () => {
      const body = { portcullis_cases: 1 as const, cases: [own(), own({ category: 'misinformation' })] };
      const { imported, test_ids: ids } = await management.admin.data(importEvaluationCases, { body });
      expect(imported).toBe(2);
      const exported = await management.admin.data(exportEvaluationCases, {});
      expect(exported.cases.map(({ test_id: id }) => id)).toEqual(expect.arrayContaining(ids));
      const count = (await list({ is_builtin: false })).length;
      expect(
        await management.admin.status(importEvaluationCases, { body: { ...body, cases: [own(), ...body.cases] } }),
      ).toBe(409);
      expect(
        await management.admin.status(importEvaluationCases, {
          body: { ...body, cases: [own({ test_type: 'multi' })] },
        }),
      ).toBe(400);
      expect((await list({ is_builtin: false })).length).toBe(count);
    });
  });

  test('viewers read, admins change', async () => {
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.status(listEvaluationCases, {})).toBe(200);
    expect(await viewer.status(createGuardrailEndpoint, { body: { name: 'x', url: 'http://h.example' } })).toBe(403);
    const operator = management.anonymous.as(await management.signIn('operator'));
    expect(await operator.status(toggleEvaluationCase, { params: { id: 1 } })).toBe(403);
    const { id } = await create();
    expect(await operator.status(testGuardrailEndpoint, { params: { id } })).toBe(200);
  });
});
