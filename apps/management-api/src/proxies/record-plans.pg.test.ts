import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@portcullis/platform/database/database';
import { makePartitions } from '@portcullis/platform/database/partitions';
import { openTestDatabase } from '@portcullis/platform/test/test-database';
import { CompiledQuery, sql, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { listRequestLogs, loadProxyStats, loadTokenUsage } from './record-queries.ts';

const dayMs = 86_400_000;
const now = Date.now();
const dayOf = (ageDays: number) => new Date(now - ageDays * dayMs).toISOString().slice(0, 10);

/** One proxy among fifty, over two days. */
describe('the records of a proxy among 100,000', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase('server', { queryTimeoutMs: 120_000 });
    const days = [1, 2].map(dayOf);
    for (const table of ['request_logs', 'usage_records'] as const) await makePartitions(database.kysely, table, days);
    // From the start of the day before yesterday, so that every row has a partition.
    const moment = sql`${new Date(dayOf(2))}::timestamptz + n * interval '1.72 seconds'`;
    await sql`insert into request_logs (event_id, timestamp, request_id, proxy_id, method, path, status_code,
        duration_ms, request_size, response_size, client_ip, risk_level)
      select gen_random_uuid(), ${moment}, 'r' || n, n % 50, 'POST', '/v1/chat', 200, 1, 1, 1, '10.0.0.1', 'None'
      from generate_series(1, 100000) n`.execute(database.kysely);
    await sql`insert into usage_records (event_id, timestamp, request_id, proxy_id, protocol, model, input_tokens,
        output_tokens, total_tokens, cost_micro_usd, estimated)
      select gen_random_uuid(), ${moment}, 'r' || n, n % 50, 'openai-chat', 'm', 1, 1, 2, 3, false
      from generate_series(1, 100000) n`.execute(database.kysely);
    for (const table of ['request_logs', 'usage_records'])
      await sql`analyze ${sql.table(table)}`.execute(database.kysely);
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
  });

  /** The plans of all queries that `work` sends. */
  const explain = async (work: (watched: Database) => Promise<unknown>): Promise<string> => {
    const sent: RootOperationNode[] = [];
    const watch: KyselyPlugin = {
      transformQuery({ node }) {
        sent.push(node);
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    await work({ ...database, kysely: database.kysely.withPlugin(watch) });
    const plans: string[] = [];
    for (const node of sent) {
      const compiled = database.kysely.getExecutor().compileQuery(node, { queryId: 'explain' });
      // How a transaction reads has no plan.
      if (/^\s*set /i.test(compiled.sql)) continue;
      const query = CompiledQuery.raw(`explain ${compiled.sql}`, [...compiled.parameters]);
      const { rows } = await database.kysely.executeQuery<{ 'QUERY PLAN': string }>(query);
      plans.push(...rows.map((row) => row['QUERY PLAN']));
    }
    return plans.join('\n');
  };
  const walked =
    /(Index|Index Only|Bitmap Index) Scan (Backward )?(using|on) (request_logs|usage_records)_\d+_(pkey|proxy_id_timestamp_idx)/;
  const scanned = /Seq Scan on (request_logs|usage_records)_\d+/;
  const proxy = { id: 7, name: 'seven' };
  const first = { limit: 100, offset: 0, window: {} };

  test.each([
    ['the latest logs', (watched: Database) => listRequestLogs(watched, 7, first)],
    ['the failed ones', (watched: Database) => listRequestLogs(watched, 7, { ...first, status: '5xx' })],
    [
      'those of a time',
      (watched: Database) => listRequestLogs(watched, 7, { ...first, window: { from: new Date(dayOf(1)) } }),
    ],
    ['the statistics of a day', (watched: Database) => loadProxyStats(watched, 7, 24)],
    ['the token usage', (watched: Database) => loadTokenUsage(watched, proxy, 30)],
  ])('%s are found by an index, and no table is read through', async (_what, work) => {
    const plan = await explain(work);
    expect(plan).toMatch(walked);
    expect(plan).not.toMatch(scanned);
  });
});
