import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProxy, type ProxyCreation } from '@portcullis/contracts/routes/proxies';
import { getRequest, listRequests } from '@portcullis/contracts/routes/requests';
import { randomUUIDv7 } from 'node:crypto';
import { alertRecord, record, requestLogRecord, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe.each(stores)('requests of all proxies (%s)', (store) => {
  let management: TestManagement;
  let llm: { id: number };
  let mcp: { id: number };
  let own: string;
  const request = (minutes: number, id: string, fields: object) =>
    requestLogRecord({ timestamp: minutesAgo(minutes), request_id: id, ...fields });

  beforeAll(async () => {
    management = await startManagement(store);
    const create = (body: ProxyCreation) => management.admin.data(createProxy, { body });
    llm = await create({ name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 22_001 });
    mcp = await create({ name: 'tools', type: 'mcp', target: 'http://127.0.0.1:9', port: 22_002 });
    const refusal = { status_code: 403, denied_reason: 'policy_violation', denied_stage: 'inspect-request' };
    own = randomUUIDv7();
    const made = minutesAgo(0);
    const [dear, cheap] = [minutesAgo(10), minutesAgo(20)];
    await record(management.infrastructure, [
      requestLogRecord({
        request_id: own,
        event_id: own,
        timestamp: made,
        proxy_id: llm.id,
        ...refusal,
        risk_level: 'High',
      }),
      requestLogRecord({ request_id: 'dear', proxy_id: llm.id, timestamp: dear }),
      requestLogRecord({ request_id: 'cheap', proxy_id: llm.id, timestamp: cheap }),
      request(30, 'broken', { proxy_id: llm.id, status_code: 502 }),
      request(40, 'tool', { proxy_id: mcp.id, path: '/mcp', user_group_id: 3, api_key_id: 7 }),
      request(50, 'twice', { proxy_id: mcp.id }),
      request(60, 'twice', { proxy_id: llm.id }),
      request(60 * 24 * 3, 'old', { proxy_id: 999 }),
      usageRecord({ request_id: 'dear', proxy_id: llm.id, timestamp: dear, model: 'big', cost_micro_usd: 2_000_000 }),
      usageRecord({ request_id: 'cheap', proxy_id: llm.id, timestamp: cheap, model: 'small', cost_micro_usd: 10 }),
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
    [{ cursor: Buffer.from('n.1').toString('base64url') }, 'cursor'],
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
    for (const unknown of ['unknown', randomUUIDv7(), `${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`]) {
      expect(await management.admin.refusal(getRequest, { params: { request_id: unknown } })).toMatchObject({
        status: 404,
      });
    }
  });
});
