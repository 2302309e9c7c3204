import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import { listAuditLogs } from '@portcullis/contracts/routes/audit';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { tryProxy } from '@portcullis/contracts/routes/proxy-trials';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import type { TrialQuestion } from '@portcullis/platform/trials/trial-bus';
import { answerTrials } from '../../test/answer-trials.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('trying a request (%s)', (store) => {
  let management: TestManagement;
  const params = { id: 0 };
  const as = { api_key_id: 0 };
  let groupId = 0;
  beforeAll(async () => {
    management = await startManagement(store);
    const { admin } = management;
    const fields = { name: 'tried', type: 'llm', target: 'http://127.0.0.1:9/v1', port: 20_001 } as const;
    params.id = (await admin.data(createProxy, { body: fields })).id;
    groupId = (await admin.data(createUserGroup, { body: { name: 'team' } })).id;
    const key = await admin.data(createApiKey, { body: { name: 'key', user_group_id: groupId } });
    as.api_key_id = key.api_key.id;
  });
  afterAll(() => management.stop());

  const body = (changes: object = {}) => ({ as, path: '/v1/chat/completions', body: { messages: [] }, ...changes });

  test('a runtime tries it, and the audit log tells what came of it', async () => {
    const asked: TrialQuestion[] = [];
    await using _runtime = await answerTrials(management, asked);
    const trial = await management.admin.data(tryProxy, { params, body: body({ send: true }) });
    expect(trial).toMatchObject({ trial: true, outcome: 'refused', refused_by: 'check-access' });
    expect(asked).toMatchObject([{ id: trial.request_id, proxyId: params.id, request: body({ send: true }) }]);
    const { logs } = await management.admin.data(listAuditLogs, { query: { event_type: 'proxy.tried' } });
    expect(logs).toMatchObject([
      {
        resource: { id: String(params.id) },
        details: { request_id: trial.request_id, as, send: true, outcome: 'refused', refused_by: 'check-access' },
      },
    ]);
    expect(JSON.stringify(logs)).not.toContain('messages');
  });

  test('for a team as for a key', async () => {
    await using _runtime = await answerTrials(management);
    expect(
      await management.admin.data(tryProxy, { params, body: body({ as: { user_group_id: groupId } }) }),
    ).toMatchObject({ trial: true });
  });

  test.each<[string, object, string]>([
    ['no caller', { as: {} }, '/body/as'],
    ['two callers', { as: { api_key_id: 1, user_group_id: 1 } }, '/body/as'],
    ['a path that is none', { path: 'v1' }, '/body/path'],
    ['a header of the connection', { headers: { 'Transfer-Encoding': 'chunked' } }, '/body/headers/transfer-encoding'],
    ['the header of keys', { headers: { 'X-API-Key': 'k' } }, '/body/headers/x-api-key'],
    ['a header over two lines', { headers: { a: 'b\r\nc: d' } }, '/body/headers/a'],
    ['a body that is too long', { body: 'x'.repeat(262_145) }, '/body/body'],
  ])('%s is refused, and the field named', async (_what, changes, path) => {
    const refusal = await management.admin.refusal(tryProxy, { params, body: body(changes) });
    expect(refusal).toMatchObject({ status: 400, problems: [{ path }] });
    expect(refusal.message).toContain(path.split('/')[2]);
  });

  test('what is not there is 404, what no runtime has is 503, and operators may not', async () => {
    const refused = (input: object) => management.admin.refusal(tryProxy, { params, body: body(), ...input });
    expect(await refused({ params: { id: 999_999 } })).toMatchObject({ status: 404 });
    expect(await refused({ body: body({ as: { api_key_id: 999_999 } }) })).toMatchObject({ status: 404 });
    expect(await refused({ body: body({ as: { user_group_id: 999_999 } }) })).toMatchObject({ status: 404 });
    expect(await refused({})).toMatchObject({ status: 503, message: expect.stringContaining('runtime') });
    const { logs } = await management.admin.data(listAuditLogs, { query: { event_type: 'proxy.tried' } });
    expect(logs[0]).toMatchObject({
      details: { request_id: expect.stringMatching(/^trial-/), as, send: false, outcome: 'unanswered' },
    });
    const operator = management.anonymous.as(await management.signIn('operator'));
    expect(await operator.status(tryProxy, { params: { id: 999_999 }, body: body() })).toBe(403);
  });
});
