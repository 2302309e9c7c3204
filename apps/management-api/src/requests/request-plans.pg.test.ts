import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@portcullis/platform/database/database';
import { makePartitions } from '@portcullis/platform/database/partitions';
import { openTestDatabase } from '@portcullis/platform/test/test-database';
import { CompiledQuery, sql, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { loadRefusals } from '../spend/refusal-queries.ts';
import { findRequests } from './find-requests.ts';
import { loadRequest } from './load-request.ts';

const dayMs = 86_400_000;
const now = Date.now();
const dayOf = (ageDays: number) => new Date(now - ageDays * dayMs).toISOString().slice(0, 10);
const tables = ['request_logs', 'usage_records', 'mcp_tool_calls', 'guardrail_checks', 'agent_invocations'] as const;

/** A node of a plan that ran. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const rowsReadBy = (node: PlanNode, table: string): number => {
  const own = node['Relation Name']?.startsWith(table) === true;
  const each =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsReadBy(child, table), 0);
  return (own ? each * node['Actual Loops'] : 0) + below;
};

/** Of two days, in each of which a client gave 30,000 requests one id; every request called a tool and was checked. */
describe('requests among 120,000', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase('server', { queryTimeoutMs: 120_000 });
    const days = [0, 1, 2].map(dayOf);
    for (const table of tables) await makePartitions(database.kysely, table, days);
    const moment = sql`${new Date(dayOf(2))}::timestamptz + n * interval '1.4 seconds'`;
    const id = sql`case when n in (10, 60000, 110000) then 'rare' when n % 2 = 0 then 'same' else 'r' || n end`;
    const rows = sql`generate_series(1, 120000) n`;
    await sql`insert into request_logs (event_id, timestamp, request_id, proxy_id, method, path, status_code,
        duration_ms, request_size, response_size, client_ip, risk_level)
      select gen_random_uuid(), ${moment}, ${id}, 1 + n % 3, 'POST', '/mcp', 200, 1, 1, 1, '10.0.0.1', 'None'
      from ${rows}`.execute(database.kysely);
    await sql`insert into hourly_requests (hour, proxy_id, requests, failed, duration_ms, bytes)
      select ${new Date(dayOf(2))}, n, 40000, 0, 1, 1 from generate_series(1, 3) n`.execute(database.kysely);
    await sql`insert into mcp_tool_calls (event_id, timestamp, request_id, proxy_id, tool_name, outcome, duration_ms)
      select gen_random_uuid(), ${moment}, ${id}, 1 + n % 3, case n when 100000 then 'seldom' else 'often' end,
      'answered', 1 from ${rows}`.execute(database.kysely);
    await sql`insert into usage_records (event_id, timestamp, request_id, proxy_id, protocol, model, input_tokens,
        output_tokens, total_tokens, cost_micro_usd, estimated)
      select gen_random_uuid(), ${moment}, ${id}, 1 + n % 3, 'openai-chat', 'm', 1, 1, 2, 3, false
      from ${rows}`.execute(database.kysely);
    await sql`insert into guardrail_checks (event_id, timestamp, request_id, provider_id, provider_name, provider_type,
        proxy_id, direction, verdict, action, categories, latency_ms, cached)
      select gen_random_uuid(), ${moment}, ${id}, 1, 'p', 'openai', 1, 'request', 'pass', 'allowed', '[]', 1, false
      from ${rows}`.execute(database.kysely);
    for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(database.kysely);
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
  });

  /** How many rows of each table `work` has the database read. */
  const countRead = async (work: (watched: Database) => Promise<unknown>) => {
    const sent: RootOperationNode[] = [];
    const watch: KyselyPlugin = {
      transformQuery({ node }) {
        sent.push(node);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    await work({ ...database, kysely: database.kysely.withPlugin(watch) });
    const read = Object.fromEntries(tables.map((table) => [table, 0])) as Record<(typeof tables)[number], number>;
    for (const node of sent) {
      const compiled = database.kysely.getExecutor().compileQuery(node, { queryId: 'explain' });
      // Settings of a transaction have no plan.
      if (/^\s*set /i.test(compiled.sql)) continue;
      const query = CompiledQuery.raw(`explain (analyze, format json) ${compiled.sql}`, [...compiled.parameters]);
      const { rows } = await database.kysely.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(query);
      for (const { 'QUERY PLAN': plans } of rows)
        for (const table of tables) read[table] += rowsReadBy(plans[0].Plan, table);
    }
    return read;
  };
  const query = { order: 'time', limit: 50 } as const;

  test('of an id that a client gave again and again, the newest are read and no more', async () => {
    const read = await countRead((watched) => loadRequest(watched, 'same'));
    expect(read.request_logs).toBeLessThan(200);
    expect(read.mcp_tool_calls).toBeLessThan(500);
    expect(read.guardrail_checks).toBeLessThan(500);
  });

  test('what lies between requests of one id is not read', async () => {
    const read = await countRead(async (watched) => {
      expect(await loadRequest(watched, 'rare')).toMatchObject({
        requests: { length: 3 },
        tool_calls: { length: 3 },
        guardrail_checks: { length: 3 },
      });
    });
    expect(read.guardrail_checks).toBeLessThan(1_000);
    expect(read.mcp_tool_calls).toBeLessThan(100);
  });

  test.each(['often', 'seldom', 'never'])('tool calls are looked up for each request: %s', async (tool) => {
    const read = await countRead(async (watched) => findRequests(watched, { ...query, tool }));
    expect(read.mcp_tool_calls).toBeLessThan(50_000);
    expect(read.request_logs).toBeLessThan(150_000);
  });

  test.each([{ model: 'm' }, { model: 'other' }, { min_cost: 5 }])('what was counted, too: %p', async (filter) => {
    const read = await countRead(async (watched) => findRequests(watched, { ...query, ...filter }));
    expect(read.usage_records).toBeLessThan(50_000);
  });

  test('refusals are counted without what passed', async () => {
    const grouped = { group_by: 'key,reason', order: 'count', limit: 100, offset: 0, time_range: '7d' } as const;
    const read = await countRead((watched) => loadRefusals(watched, grouped, new Date(now)));
    expect(read.request_logs).toBeLessThan(100);
  });

  test('an id that the gateway made is found in the index of its proxy', async () => {
    const read = await countRead((watched) => loadRequest(watched, '01900000-0000-7000-8000-000000000000'));
    expect(read.request_logs).toBeLessThan(100);
  });
});
