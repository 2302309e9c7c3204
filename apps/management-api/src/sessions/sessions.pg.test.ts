import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AgentInvocationRecord } from '@portcullis/contracts/records';
import { createProxy, type ProxyCreation } from '@portcullis/contracts/routes/proxies';
import { listRequests } from '@portcullis/contracts/routes/requests';
import { getSession, listSessions } from '@portcullis/contracts/routes/sessions';
import { randomUUIDv7 } from 'node:crypto';
import { agentInvocationRecord, record, requestLogRecord, toolCallRecord, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe.each(stores)('sessions (%s)', (store) => {
  let management: TestManagement;
  let llm: { id: number };
  let mcp: { id: number };

  beforeAll(async () => {
    management = await startManagement(store);
    const create = (body: ProxyCreation) => management.admin.data(createProxy, { body });
    llm = await create({ name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 22_011 });
    mcp = await create({ name: 'tools', type: 'mcp', target: 'http://127.0.0.1:9', port: 22_012 });
    const task = { session_id: 'agent_task', api_key_id: 7, user_group_id: 3 };
    const asked = { event_id: randomUUIDv7(), timestamp: minutesAgo(30), request_id: 'asked', proxy_id: llm.id };
    const called = { timestamp: minutesAgo(20), request_id: 'called', proxy_id: mcp.id };
    const refusal = { status_code: 403, denied_reason: 'policy_violation', denied_stage: 'inspect-request' };
    const invoked: Partial<AgentInvocationRecord> = {
      timestamp: minutesAgo(10),
      request_id: 'invoked',
      user_type: 'apikey',
      user_id: 7,
      user_group_id: 3,
      session_id: task.session_id,
      response_status: 502,
      error: 'agent_unreachable',
    };
    await record(management.infrastructure, [
      requestLogRecord({ ...task, ...asked }),
      usageRecord({ ...task, ...asked, kind: 'usage_rough', model: 'big', cost_micro_usd: 9_000_000 }),
      requestLogRecord({ ...task, ...called }),
      toolCallRecord({ ...called, tool_name: 'search' }),
      requestLogRecord({ ...task, timestamp: minutesAgo(15), request_id: 'refused', proxy_id: llm.id, ...refusal }),
      agentInvocationRecord(invoked),
      requestLogRecord({ session_id: 'mcp_other', proxy_id: mcp.id, timestamp: minutesAgo(5), user_id: 4 }),
      requestLogRecord({ proxy_id: mcp.id, timestamp: minutesAgo(4), request_id: 'of no session' }),
    ]);
    // What was estimated is counted meanwhile.
    const counted = { model: 'big', input_tokens: 10, output_tokens: 20, cost_micro_usd: 2_000_000 };
    await record(management.infrastructure, [usageRecord({ ...task, ...asked, kind: 'usage_counted', ...counted })]);
  });
  afterAll(() => management.stop());

  const find = (query: object) => management.admin.data(listSessions, { query });
  const idsOf = async (query: object) => (await find(query)).sessions.map(({ session_id: id }) => id);
  const show = (id: string, query: object = {}) =>
    management.admin.data(getSession, { params: { session_id: id }, query });

  test('are listed with what their calls add up to, over LLM, MCP and A2A', async () => {
    const { sessions } = await find({});
    expect(sessions.map(({ session_id: id }) => id)).toEqual(['mcp_other', 'agent_task']);
    expect(sessions[1]).toMatchObject({
      recognised_by: 'agent',
      api_key_id: 7,
      user_group_id: 3,
      proxies: [
        { id: llm.id, name: 'llm' },
        { id: mcp.id, name: 'tools' },
      ],
      agents: [{ id: 1, name: null }],
      models: ['big'],
      calls: 4,
      refused: 1,
      failed: 1,
      input_tokens: 10,
      output_tokens: 20,
      cost: 2,
    });
    const { started_at: start = '', last_at: end = '' } = sessions[1] ?? {};
    expect(Math.round((Date.parse(end) - Date.parse(start)) / 60_000)).toBe(20);
  });

  test.each([
    [{ key: 7 }, ['agent_task']],
    [{ key: 8 }, []],
    [{ team: 3 }, ['agent_task']],
    [{ model: 'big' }, ['agent_task']],
    [{ model: 'small' }, []],
    [{ time_range: '10m' }, ['mcp_other']],
    [{ date_to: '2020-01-01' }, []],
    [{ user: 'nobody' }, []],
    [{ order: 'cost' }, ['agent_task']],
  ])('are filtered by %p', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
  });

  test('of one proxy', async () => {
    expect(await idsOf({ proxy: mcp.id })).toEqual(['mcp_other', 'agent_task']);
    expect(await idsOf({ proxy: llm.id })).toEqual(['agent_task']);
  });

  test('come page by page, each once', async () => {
    const first = await find({ limit: 1 });
    expect(first.sessions.map(({ session_id: id }) => id)).toEqual(['mcp_other']);
    const second = await find({ limit: 1, cursor: first.next_cursor });
    expect(second).toMatchObject({ sessions: [{ session_id: 'agent_task' }], next_cursor: null });
  });

  test('are shown on one line of time', async () => {
    const { session, calls, next_cursor } = await show('agent_task');
    expect(session.calls).toBe(4);
    expect(next_cursor).toBeNull();
    expect(calls).toMatchObject([
      { request_id: 'asked', type: 'llm', name: 'llm', outcome: 'passed', model: 'big', output_tokens: 20, cost: 2 },
      { request_id: 'called', type: 'mcp', name: 'tools', tools: ['search'], cost: null },
      { request_id: 'refused', type: 'llm', outcome: 'refused', denied_stage: 'inspect-request' },
      { request_id: 'invoked', type: 'a2a', agent_id: 1, outcome: 'failed', operation: 'send_message' },
    ]);
  });

  test('are shown page by page', async () => {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await show('agent_task', { limit: 1, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.calls.map(({ request_id: id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['asked', 'called', 'refused', 'invoked']);
  });

  test('filter lists of requests, which name them', async () => {
    const requests = async (query: object) => (await management.admin.data(listRequests, { query })).requests;
    const found = await requests({ session: 'agent_task' });
    expect(found.map(({ request_id: id, session_id: session }) => [id, session])).toEqual(
      ['refused', 'called', 'asked'].map((id) => [id, 'agent_task']),
    );
    expect(await requests({ session: 'agent_task', order: 'cost' })).toMatchObject([{ request_id: 'asked' }]);
    expect(await requests({ session: 'agent_task', time_range: '18m' })).toMatchObject([{ request_id: 'refused' }]);
    expect(await requests({ session: 'agent_unknown' })).toEqual([]);
    expect(await requests({ search: 'of no session' })).toMatchObject([{ session_id: null }]);
  });

  test.each([
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: Buffer.from('s.1.agent_a').toString('base64url'), order: 'cost' }, 'cursor'],
    [{ cursor: Buffer.from('s.1.1.agent_a').toString('base64url') }, 'cursor'],
    [{ date_from: '2026-13-01' }, 'date_from'],
    [{ order: 'calls' }, 'order'],
    [{ limit: 501 }, 'limit'],
  ])('%p is refused', async (query, field) => {
    expect(await management.admin.refusal(listSessions, { query })).toMatchObject({
      status: 400,
      problems: [{ path: `/query/${field}` }],
    });
  });

  test('of no known id are not found', async () => {
    const params = { session_id: 'agent_unknown' };
    expect(await management.admin.refusal(getSession, { params })).toMatchObject({ status: 404 });
    const query = { cursor: 'x' };
    expect(await management.admin.refusal(getSession, { params, query })).toMatchObject({ status: 400 });
  });
});
