import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UsageRecord } from '@portcullis/contracts/records';
import { createProxy, type ProxyCreation } from '@portcullis/contracts/routes/proxies';
import { getRequest, listRequests } from '@portcullis/contracts/routes/requests';
import { randomUUIDv7 } from 'node:crypto';
import { alertRecord, record, requestLogRecord, toolCallRecord, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe.each(stores)('requests of all proxies (%s)', (store) => {
  let management: TestManagement;
  let llm: { id: number };
  let mcp: { id: number };
  let own: string;
  const request = (minutes: number, id: string, fields: object) =>
    requestLogRecord({ timestamp: minutesAgo(minutes), request_id: id, ...fields });

  /** A request and what was counted of it. */
  const paid = (id: string, fields: Pick<UsageRecord, 'timestamp'> & Partial<UsageRecord>) => {
    const both = { request_id: id, event_id: randomUUIDv7(), proxy_id: llm.id, timestamp: fields.timestamp };
    return [requestLogRecord(both), usageRecord({ ...fields, ...both })];
  };

  beforeAll(async () => {
    management = await startManagement(store);
    const create = (body: ProxyCreation) => management.admin.data(createProxy, { body });
    llm = await create({ name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 22_001 });
    mcp = await create({ name: 'tools', type: 'mcp', target: 'http://127.0.0.1:9', port: 22_002 });
    const refusal = { status_code: 403, denied_reason: 'policy_violation', denied_stage: 'inspect-request' };
    own = randomUUIDv7();
    const made = minutesAgo(0);
    const [dear, cheap, called] = [minutesAgo(10), minutesAgo(20), minutesAgo(40)];
    await record(management.infrastructure, [
      requestLogRecord({
        request_id: own,
        event_id: own,
        timestamp: made,
        proxy_id: llm.id,
        ...refusal,
        risk_level: 'High',
      }),
      ...paid('dear', { timestamp: dear, model: 'big', cost_micro_usd: 2_000_000 }),
      ...paid('cheap', { timestamp: cheap, model: 'small', cost_micro_usd: 10 }).map((one) =>
        one.kind === 'request_log'
          ? {
              ...one,
              inspection_ms: 1.25,
              target_wait_ms: 300,
              response_inspection_ms: 0.5,
              changes: { redacted_in_request: ['EMAIL'], canary: true } as const,
              session_id: 'agent_task',
            }
          : one,
      ),
      request(30, 'broken', {
        proxy_id: llm.id,
        status_code: 502,
        denied_reason: 'target_unreachable',
        denied_stage: 'forward',
        target_problem: 'connect ECONNREFUSED',
      }),
      request(40, 'tool', { proxy_id: mcp.id, path: '/mcp', user_group_id: 3, api_key_id: 7, timestamp: called }),
      toolCallRecord({ request_id: 'tool', proxy_id: mcp.id, timestamp: called, tool_name: 'search' }),
      request(50, 'twice', { proxy_id: mcp.id }),
      request(60, 'twice', { proxy_id: llm.id }),
      request(60 * 24 * 3, 'old', { proxy_id: 999 }),
      alertRecord({ request_id: own, proxy_id: llm.id, title: 'About it' }),
      alertRecord({ request_id: 'another' }),
    ]);
  });
  afterAll(() => management.stop());

  const find = (query: object) => management.admin.data(listRequests, { query });
  const idsOf = async (query: object) => (await find(query)).requests.map(({ request_id: id }) => id);

  test('come newest first, across proxies, those of a proxy that is gone among them', async () => {
    expect(await idsOf({})).toEqual([own, 'dear', 'cheap', 'broken', 'tool', 'twice', 'twice', 'old']);
    const [first, second] = (await find({ limit: 2 })).requests;
    expect(first).toMatchObject({ outcome: 'refused', proxy_name: 'llm', proxy_type: 'llm', model: null, cost: null });
    expect(second).toMatchObject({ outcome: 'passed', model: 'big', cost: 2 });
  });

  test('come page by page, each once', async () => {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await find({ limit: 3, ...(cursor !== undefined && { cursor }) });
      expect(page.requests.length).toBeLessThanOrEqual(3);
      seen.push(...page.requests.map(({ request_id: id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(await idsOf({}));
  });

  test.each([
    [{ outcome: 'refused' }, 1],
    [{ outcome: 'failed' }, ['broken']],
    [{ outcome: 'passed', time_range: '25m' }, ['dear', 'cheap']],
    [{ status: '5xx,403' }, 2],
    [{ stage: 'inspect-request', reason: 'policy_violation', risk_level: 'High' }, 1],
    [{ team: 3 }, ['tool']],
    [{ key: 7 }, ['tool']],
    [{ key: 8 }, []],
    [{ model: 'small' }, ['cheap']],
    [{ min_cost: 1 }, ['dear']],
    [{ request_id: 'twice' }, ['twice', 'twice']],
    [{ search: 'MCP' }, ['tool']],
    [{ user: 'nobody' }, []],
    [{ tool: 'search' }, ['tool']],
    [{ tool: 'none' }, []],
    [{ date_to: '2020-01-01' }, []],
  ])('are filtered by %p', async (query, expected) => {
    const found = await idsOf(query);
    expect(typeof expected === 'number' ? found.length : found).toEqual(expected);
  });

  test('of one proxy, by cost', async () => {
    expect(await idsOf({ proxy: mcp.id })).toEqual(['tool', 'twice']);
    expect(await idsOf({ order: 'cost' })).toEqual(['dear', 'cheap']);
    const page = await find({ order: 'cost', limit: 1 });
    expect(page.requests.map(({ cost }) => cost)).toEqual([2]);
    expect(await idsOf({ order: 'cost', limit: 1, cursor: page.next_cursor })).toEqual(['cheap']);
  });

  test.each([
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: cursorOf(`t.999999999999999.${randomUUIDv7()}`) }, 'cursor'],
    [{ cursor: cursorOf(`c.1.1.${randomUUIDv7()}`) }, 'cursor'],
    [{ cursor: cursorOf(`t.1.${randomUUIDv7()}`), order: 'cost' }, 'cursor'],
    [{ date_from: '2026-13-01' }, 'date_from'],
    [{ status: '600' }, 'status'],
    [{ outcome: 'good' }, 'outcome'],
  ])('%p is refused', async (query, field) => {
    expect(await management.admin.refusal(listRequests, { query })).toMatchObject({
      status: 400,
      problems: [{ path: `/query/${field}` }],
    });
  });

  test('are shown with what was recorded of them', async () => {
    const show = (id: string) => management.admin.data(getRequest, { params: { request_id: id } });
    expect(await show(own)).toMatchObject({
      requests: [{ request_id: own, outcome: 'refused' }],
      alerts: [{ title: 'About it' }],
      guardrail_checks: [],
      tool_calls: [],
      agent_calls: [],
      prompts: { injected: [], skipped: [] },
    });
    expect((await show('twice')).requests).toHaveLength(2);
    const nothing = { redacted_in_request: [], redacted_in_answer: [], hidden_tools: [], canary: false };
    expect((await show('dear')).requests).toMatchObject([
      {
        stage_times: { inspection_ms: null, target_wait_ms: null, response_inspection_ms: null },
        changes: nothing,
        session_id: null,
      },
    ]);
    expect((await show('cheap')).requests).toMatchObject([
      {
        stage_times: { inspection_ms: 1.25, target_wait_ms: 300, response_inspection_ms: 0.5 },
        changes: { ...nothing, redacted_in_request: ['EMAIL'], canary: true },
        session_id: 'agent_task',
      },
    ]);
    expect(await show('tool')).toMatchObject({ tool_calls: [{ tool_name: 'search', outcome: 'answered' }] });
    const [first, last] = ['0', 'f'].map(
      (digit) => `${digit.repeat(8)}-${digit.repeat(4)}-7000-8000-${digit.repeat(12)}`,
    );
    for (const unknown of ['unknown', randomUUIDv7(), first, last]) {
      expect(await management.admin.refusal(getRequest, { params: { request_id: unknown } })).toMatchObject({
        status: 404,
      });
    }
  });

  test('are shown beside those of clients that gave the id of another', async () => {
    const borrowed = randomUUIDv7();
    const given = { request_id: borrowed, proxy_id: mcp.id };
    await record(management.infrastructure, [
      requestLogRecord({ request_id: borrowed, event_id: borrowed, proxy_id: llm.id }),
      ...Array.from({ length: 25 }, () => requestLogRecord({ ...given, timestamp: minutesAgo(-1) })),
    ]);
    const { requests } = await management.admin.data(getRequest, { params: { request_id: borrowed } });
    expect(requests.map(({ proxy_name: name }) => name)).toEqual([...Array<string>(19).fill('tools'), 'llm']);
  });

  test('come page by page by cost, each once, though dearer ones are recorded meanwhile', async () => {
    const first = await find({ order: 'cost', limit: 1 });
    await record(management.infrastructure, paid('dearest', { timestamp: minutesAgo(1), cost_micro_usd: 5_000_000 }));
    const second = await find({ order: 'cost', limit: 1, cursor: first.next_cursor });
    expect([...first.requests, ...second.requests].map(({ request_id: id }) => id)).toEqual(['dear', 'cheap']);
    expect(second.next_cursor).toBeNull();
  });
});
