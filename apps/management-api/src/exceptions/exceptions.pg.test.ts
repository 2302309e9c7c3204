import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createPolicyException,
  endPolicyException,
  getPolicyException,
  listPolicyExceptions,
  offerPolicyException,
} from '@portcullis/contracts/routes/policy-exceptions';
import { listAlerts } from '@portcullis/contracts/routes/alerts';
import { createPolicy, deletePolicy } from '@portcullis/contracts/routes/policies';
import { testPolicy } from '@portcullis/contracts/routes/policy-tests';
import { createProxy, deleteProxy } from '@portcullis/contracts/routes/proxies';
import { getRequest, listRequests } from '@portcullis/contracts/routes/requests';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { exceptionSource } from '@portcullis/platform/policies/exception-source';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { examplePolicy } from '../../test/example-policy.ts';
import { agentInvocationRecord, alertRecord, record, requestLogRecord, toolCallRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const reason = 'Asked the team: their tests say so';

describe.each(stores)('exceptions from policies (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());
  const ruleId = 'word';

  const addPolicy = async () => {
    const name = `policy-${randomUUID()}`;
    return management.admin.data(createPolicy, { body: { document: examplePolicy(name) } });
  };
  const addProxy = (type: 'llm' | 'mcp' = 'llm') =>
    management.admin.data(createProxy, {
      body: {
        name: `proxy-${randomUUID()}`,
        type,
        target: 'https://target.example',
        port: 20_000 + Math.floor(Math.random() * 10_000),
      },
    });
  const addGroup = () => management.admin.data(createUserGroup, { body: { name: `team-${randomUUID()}` } });
  const add = (body: object) =>
    management.admin.data(createPolicyException, { body: { reason, ends_at: inHours(1), ...body } });
  const refusal = async (body: object) => {
    const answer = await management.admin.refusal(createPolicyException, {
      body: { reason, ends_at: inHours(1), rule_id: ruleId, ...body },
    });
    return [answer.status, answer.message];
  };
  const list = (query: object) => management.admin.data(listPolicyExceptions, { query });
  const audited = (type: string, id: number) =>
    management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('event_type', '=', type)
      .where('resource_id', '=', String(id))
      .execute();

  test('are made, listed by what they are about, ended and audited', async () => {
    const [policy, proxy, group] = [await addPolicy(), await addProxy(), await addGroup()];
    const scope = { rule_id: ruleId, policy_name: policy.name, proxy_id: proxy.id, user_group_id: group.id, tool: 'x' };
    const made = await add(scope);
    expect(made).toMatchObject({
      ...scope,
      agent_id: null,
      reason,
      state: 'active',
      missing: [],
      created_by: 'admin',
      use_count: 0,
      last_used_at: null,
    });
    for (const filter of [
      { policy_name: policy.name },
      { proxy: proxy.id },
      { proxy: proxy.name },
      { team: group.name },
    ])
      expect(await list({ ...filter, state: 'active' })).toMatchObject({ total: 1, exceptions: [made] });
    expect(await list({ proxy: proxy.id, tool: 'y' })).toMatchObject({ total: 0, exceptions: [] });
    expect(await list({ proxy: 'no such proxy' })).toMatchObject({ total: 0 });
    expect(await audited('policy.exception.created', made.id)).toHaveLength(1);

    const ended = await management.admin.data(endPolicyException, { params: made, body: { reason: 'Mended' } });
    expect(ended).toMatchObject({ id: made.id, state: 'ended', ended_by: 'admin', end_reason: 'Mended' });
    expect(await audited('policy.exception.ended', made.id)).toHaveLength(1);
    expect(await list({ proxy: proxy.id, state: 'active' })).toMatchObject({ total: 0 });
    expect(await list({ proxy: proxy.id, state: 'ended' })).toMatchObject({ total: 1 });
    expect(await management.admin.status(endPolicyException, { params: made })).toBe(409);
    expect(await management.admin.status(endPolicyException, { params: { id: 999_999 } })).toBe(404);
  });

  test('are refused with the name of the field', async () => {
    const policy = await addPolicy();
    const cases: readonly (readonly [object, string])[] = [
      [{ rule_id: 'NO_SUCH_RULE' }, 'rule_id'],
      [{ rule_id: undefined }, 'rule_id'],
      [{ policy_name: 'no-such-policy' }, 'policy_name'],
      [{ policy_name: policy.name, rule_id: 'NO_SUCH_RULE' }, 'rule_id'],
      [{ proxy_id: 999_999 }, 'proxy_id'],
      [{ agent_id: 999_999 }, 'agent_id'],
      [{ user_group_id: 999_999 }, 'user_group_id'],
      [{ proxy_id: 1, agent_id: 1 }, 'agent_id'],
      [{ ends_at: undefined }, 'ends_at'],
      [{ ends_at: inHours(-1) }, 'ends_at'],
      [{ ends_at: inHours(91 * 24) }, 'ends_at'],
      [{ reason: ' ' }, 'reason'],
      [{ reason: undefined }, 'reason'],
      [{ severity: 'High' }, 'severity'],
    ];
    for (const [body, field] of cases) {
      const [status, text] = await refusal(body);
      expect([field, status, text]).toEqual([field, 400, expect.stringContaining(field)]);
    }
    expect((await refusal({ alert_id: 999_999 }))[0]).toBe(404);
  });

  test('are made by admins and read by operators', async () => {
    await addPolicy();
    const statuses = async (role: 'viewer' | 'operator') => {
      const client = management.anonymous.as(await management.signIn(role));
      const body = { rule_id: ruleId, reason, ends_at: inHours(1) };
      return [
        await client.status(listPolicyExceptions, { query: {} }),
        await client.status(createPolicyException, { body }),
        await client.status(endPolicyException, { params: { id: 999_999 } }),
      ];
    };
    expect(await statuses('operator')).toEqual([200, 403, 403]);
    expect(await statuses('viewer')).toEqual([403, 403, 403]);
  });

  test('say what of them is gone, and expire by the clock', async () => {
    const [policy, proxy] = [await addPolicy(), await addProxy()];
    const made = await add({ rule_id: ruleId, policy_name: policy.name, proxy_id: proxy.id });
    await management.admin.status(deletePolicy, { params: { id: policy.id } });
    await management.admin.status(deleteProxy, { params: { id: proxy.id } });
    const shown = await management.admin.data(getPolicyException, { params: made });
    // Nothing of its scope was taken away with them: it would have become wider.
    expect(shown).toMatchObject({
      state: 'active',
      missing: ['rule', 'proxy'],
      policy_name: policy.name,
      proxy_id: proxy.id,
    });

    const { kysely } = management.infrastructure.database;
    const inForce = async () => (await exceptionSource.load(kysely)).map(({ id }) => id);
    expect(await inForce()).toContain(made.id);
    await sql`update policy_exceptions set ends_at = now() - interval '1 second' where id = ${made.id}`.execute(kysely);
    expect(await list({ policy_name: policy.name, state: 'expired' })).toMatchObject({ total: 1 });
    expect(await inForce()).not.toContain(made.id);
  });

  describe('from an alert', () => {
    const raise = async (fields: Parameters<typeof alertRecord>[0]) => {
      const alert = alertRecord({ rule_id: ruleId, ...fields });
      await record(management.infrastructure, [alert]);
      const { alerts } = await management.admin.data(listAlerts, { query: { request_id: alert.request_id ?? '' } });
      return alerts[0]?.id ?? 0;
    };
    const offer = (id: number) => management.admin.data(offerPolicyException, { params: { id } });

    test('take its rule, policy, proxy, team and tool', async () => {
      const [policy, proxy, group] = [await addPolicy(), await addProxy('mcp'), await addGroup()];
      const log = requestLogRecord({ proxy_id: proxy.id });
      const same = { request_id: log.request_id, timestamp: log.timestamp };
      await record(management.infrastructure, [
        log,
        toolCallRecord({ ...same, proxy_id: proxy.id, tool_name: 'read_file', outcome: 'blocked' }),
      ]);
      const rules = [
        { rule_id: ruleId, policies: [policy.name], severity: 'High', direction: 'request', matches: 1 },
        { rule_id: 'OTHER', policies: [policy.name], severity: 'Low', direction: 'request', matches: 1 },
      ];
      const id = await raise({
        ...same,
        policy_name: policy.name,
        proxy_id: proxy.id,
        proxy_type: 'mcp',
        user_group: group.name,
        raw_data: { rules },
      });
      const scope = {
        rule_id: ruleId,
        policy_name: policy.name,
        proxy_id: proxy.id,
        agent_id: null,
        user_group_id: group.id,
        tool: 'read_file',
      };
      expect(await offer(id)).toEqual({
        alert_id: id,
        scope,
        untold: [],
        rules: [
          { rule_id: ruleId, policies: [policy.name] },
          { rule_id: 'OTHER', policies: [policy.name] },
        ],
      });
      expect(await add({ alert_id: id })).toMatchObject({ ...scope, alert_id: id });
      expect(await add({ alert_id: id, tool: null, user_group_id: null })).toMatchObject({
        ...scope,
        tool: null,
        user_group_id: null,
      });
      expect(await list({ alert_id: id })).toMatchObject({ total: 2 });
    });

    test('never become wider by what the alert does not tell', async () => {
      const policy = await addPolicy();
      const raw_data = { rules: [{ rule_id: ruleId, policies: [policy.name] }] };
      const about = { policy_name: policy.name, raw_data };
      const agents = await raise({ ...about, proxy_type: 'a2a' });
      expect(await offer(agents)).toMatchObject({ untold: ['agent_id'] });
      expect(await refusal({ rule_id: undefined, alert_id: agents })).toEqual([
        400,
        expect.stringContaining('agent_id'),
      ]);
      expect(await add({ alert_id: agents, agent_id: null })).toMatchObject({ agent_id: null });

      const server = await addProxy('mcp');
      const log = requestLogRecord({ proxy_id: server.id });
      const same = { request_id: log.request_id, timestamp: log.timestamp, proxy_id: server.id };
      const called = ['read_file', 'write_file'].map((name) => toolCallRecord({ ...same, tool_name: name }));
      await record(management.infrastructure, [log, ...called]);
      const batch = await raise({ ...about, ...same, proxy_type: 'mcp' });
      expect(await offer(batch)).toMatchObject({ scope: { tool: null }, untold: ['tool'] });
      expect(await refusal({ rule_id: undefined, alert_id: batch })).toEqual([400, expect.stringContaining('tool')]);
      expect(await add({ alert_id: batch, tool: 'read_file' })).toMatchObject({ tool: 'read_file' });

      const proxy = await addProxy();
      const gone = await raise({ ...about, proxy_id: proxy.id, user_group: 'a team that is gone' });
      expect(await offer(gone)).toMatchObject({ untold: ['user_group_id'] });
      expect((await refusal({ rule_id: undefined, alert_id: gone }))[0]).toBe(400);
    });

    test('are not offered where no policy found it', async () => {
      const id = await raise({ policy_name: 'canary', rule_id: 'CANARY', raw_data: { token: 'x' } });
      const status = await management.admin.status(offerPolicyException, { params: { id } });
      expect([status, (await refusal({ alert_id: id }))[0]]).toEqual([409, 409]);
    });
  });

  test('are counted and named in the record of each request that used them, once', async () => {
    const [policy, proxy] = [await addPolicy(), await addProxy()];
    const made = await add({ rule_id: ruleId, policy_name: policy.name });
    const log = requestLogRecord({ proxy_id: proxy.id, exceptions: [made.id, 999_999] });
    await record(management.infrastructure, [log, requestLogRecord({ proxy_id: proxy.id })]);
    await record(management.infrastructure, [log]);
    const shown = await management.admin.data(getPolicyException, { params: made });
    expect(shown).toMatchObject({ use_count: 1, last_used_at: log.timestamp });
    const request = await management.admin.data(getRequest, { params: { request_id: log.request_id } });
    expect(request.exceptions).toEqual([made.id, 999_999]);
    const { requests } = await management.admin.data(listRequests, { query: { exception: made.id } });
    expect(requests.map(({ request_id: id }) => id)).toEqual([log.request_id]);

    const call = agentInvocationRecord({ exceptions: [made.id] });
    await record(management.infrastructure, [call, agentInvocationRecord({})]);
    await record(management.infrastructure, [call]);
    expect(await management.admin.data(getPolicyException, { params: made })).toMatchObject({ use_count: 2 });
    const ofAgent = await management.admin.data(getRequest, { params: { request_id: call.request_id } });
    expect(ofAgent.exceptions).toEqual([made.id]);
  });

  test('show in a test of a policy, within their scope', async () => {
    const [policy, group] = [await addPolicy(), await addGroup()];
    const made = await add({ rule_id: ruleId, policy_name: policy.name, user_group_id: group.id });
    const run = async (more: object) => {
      const body = { policy: policy.name, test_content: ['off to zanzibar'], ...more };
      const { results } = await management.admin.data(testPolicy, { body });
      return results.map(({ action, findings }) => [action, findings.map(({ excepted_by: id }) => id)]);
    };
    const [[action] = []] = await run({});
    expect(action).not.toBe('pass');
    expect(await run({})).toEqual([[action, [null]]]);
    expect(await run({ user_group_id: group.id })).toEqual([['pass', [made.id]]]);
    expect(await run({ user_group_id: group.id + 1 })).toEqual([[action, [null]]]);
  });
});
