import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { RequestLogRecord, SpoolRecord } from '@portcullis/contracts/records';
import { linesOf } from '../../test/spool/lines-of.ts';
import { sampleRequestLog, sampleUsage } from '../../test/spool/sample-records.ts';
import { databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import type { Database } from '../database/database.ts';
import { openSpool } from './open-spool.ts';
import { parseLine } from './record-line.ts';
import { createSaveRecords } from './save-records.ts';

const many = 600;
const stages = [null, 'check-budget', 'scan-request'];
const texts = ['curl/8', '', 'ü 漢 😀', 'a, (b)', '"quoted"', null];
const start = Date.UTC(2026, 2, 4, 22);

/** Over four hours of two days, and all that makes a difference; some of it has to be JSON. */
const makeRecords = (proxy_id: number): SpoolRecord[] =>
  Array.from({ length: many }, (_none, index): SpoolRecord[] => {
    const about = {
      proxy_id,
      timestamp: new Date(start + index * 24_000).toISOString(),
      api_key_id: index % 4 === 0 ? null : index % 4,
      user_group_id: index % 3 === 0 ? null : 1 + (index % 2),
      request_id: `req_${index}`,
      session_id: index % 4 === 0 ? undefined : `trace_${proxy_id}_${index % 3}`,
    };
    const log = sampleRequestLog({
      ...about,
      status_code: index % 7 === 0 ? 403 : 200,
      duration_ms: index * 1.001,
      request_size: index,
      user_agent: texts[index % texts.length] ?? null,
      denied_stage: stages[index % stages.length] ?? null,
      target_problem: index % 5 === 0 ? 'refused' : null,
      user_id: index % 6 === 0 ? 5 : undefined,
      inspection_ms: index % 2 === 0 ? 0.125 : undefined,
      changes: index % 50 === 0 ? { canary: true } : undefined,
    });
    const { risk_level: _level, denied_reason: _reason, ...usualLog } = log;
    const usage = sampleUsage({ ...about, model: `gpt-${index % 2}`, cost_micro_usd: index, priced: index % 5 !== 0 });
    const { cached_input_tokens: _tokens, ...usualUsage } = { ...usage, stated_cost_micro_usd: index };
    return [
      index % 2 === 0 ? log : usualLog,
      { ...(index % 2 === 0 ? usage : usualUsage), kind: index % 9 === 0 ? 'usage_rough' : 'usage' },
    ];
  }).flat();

describe.each(databaseKinds)('records that are saved in the %s database', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    await database.kysely.insertInto('user_groups').values({ name: 'group' }).execute();
    const keys = [1, 2].map((id) => ({ user_group_id: 1, key_hash: `${id}`, key_prefix: 'gw_' }));
    await database.kysely.insertInto('api_keys').values(keys).execute();
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
  });

  /** All that is known of a proxy, without what differs between two that had the same records. */
  const findAll = async (proxyId: number) => {
    const tables = ['request_logs', 'usage_records', 'hourly_requests', 'daily_requests', 'daily_usage'] as const;
    const found = tables.map(async (table) => {
      const rows = await database.kysely.selectFrom(table).selectAll().where('proxy_id', '=', proxyId).execute();
      return rows
        .map((row) =>
          JSON.stringify({
            ...row,
            id: 0,
            event_id: '',
            proxy_id: 0,
            ...('session_id' in row && { session_id: lastOf(row) }),
          }),
        )
        .sort()
        .map((row) => JSON.parse(row, (name, value) => (name === 'duration_ms' ? Math.round(value * 1e6) : value)));
    });
    const sessions = await database.kysely
      .selectFrom('sessions')
      .selectAll()
      .where('id', 'like', `trace_${proxyId}_%`)
      .orderBy('id')
      .execute();
    return {
      ...Object.fromEntries((await Promise.all(found)).map((rows, index) => [tables[index], rows])),
      sessions: sessions.map(({ id: _id, proxy_ids: _proxies, ...sums }) => sums),
    };
  };
  const lastOf = ({ session_id: id }: { readonly session_id: string | null }) => id?.at(-1) ?? null;
  const findKeys = () => database.kysely.selectFrom('api_key_usage').selectAll().orderBy('api_key_id').execute();

  test('are the same, and add up to the same, in a large batch as in small ones', async () => {
    const save = createSaveRecords(database);
    const [atOnce, splitFinding] = [linesOf(makeRecords(1)), linesOf(makeRecords(2))];
    await save(atOnce);
    const keys = await findKeys();
    for (let from = 0; from < splitFinding.length; from += 100) await save(splitFinding.slice(from, from + 100));

    const found = await findAll(1);
    expect(found['request_logs']).toHaveLength(many);
    expect(found['usage_records']).toHaveLength(many);
    expect(found.sessions).toHaveLength(3);
    expect(found.sessions.reduce((sum: number, { calls }: { readonly calls: number }) => sum + calls, 0)).toBe(
      many * (3 / 4),
    );
    expect(found.sessions[0]?.models.toSorted()).toEqual(['gpt-0', 'gpt-1']);
    expect(found).toEqual(await findAll(2));
    expect(keys.map(({ api_key_id: id }) => id)).toEqual([1, 2]);
    expect(await findKeys()).toEqual(
      keys.map((row) => ({ ...row, request_count: 2 * row.request_count, last_used_at: expect.any(Date) })),
    );
  });

  test('count once however often they arrive, with others and alone', async () => {
    const save = createSaveRecords(database);
    const [records, others] = [linesOf(makeRecords(3)), linesOf(makeRecords(4))];
    await save(records);
    const once = await findAll(3);
    await save([...others, ...records.slice(0, 7)]);
    await save([...records.slice(500), ...others.slice(0, 300), ...records.slice(0, 500)]);
    expect(await findAll(3)).toEqual(once);
    expect(await findAll(4)).toEqual(once);
  });

  test('are read in the rows that were written before', async () => {
    const [event_id, other] = [randomUUID(), randomUUID()];
    const rows = [
      `request_log 2026-03-04 ("${event_id}",1772600767089,"old",11,"POST","/v1",200,12500,1,2,"10.0.0.1",,,,,,,,,)`,
      `usage 2026-03-04 ("${other}",1772600767089,"old",11,,,"openai-chat","m",1,,,2,,3,4,true,false)`,
    ];
    const lines = rows.map((row) => {
      const bytes = Buffer.from(`${crc32(row).toString(16).padStart(8, '0')} ${row}`);
      return parseLine(bytes, 0, bytes.length);
    });
    await createSaveRecords(database)(lines.filter((line) => line !== undefined));
    const found = await findAll(11);
    expect(found['request_logs']).toMatchObject([{ request_id: 'old', session_id: null, status_code: 200 }]);
    expect(found['usage_records']).toMatchObject([{ cost_micro_usd: 4, session_id: null }]);
    expect(found.sessions).toEqual([]);
  });

  test('count as many requests as they stand for, of which none has a trace', async () => {
    await database.kysely
      .insertInto('settings')
      .values({ section: 'llm_observability', document: JSON.stringify({ enabled: true }) })
      .execute();
    const proxy_id = 9;
    await sql`insert into proxies (id, name, type, target, port) overriding system value
      values (${proxy_id}, 'traced', 'llm', 'http://127.0.0.1:9', 9)`.execute(database.kysely);
    const log = (changes: Partial<RequestLogRecord>) => sampleRequestLog({ proxy_id, request_size: 0, ...changes });
    const refused = { status_code: 401, denied_stage: 'identify', denied_reason: 'key_missing', response_size: 100 };
    const records = [
      log({ response_size: 1 }),
      log({ ...refused, request_id: 'first' }),
      log({ ...refused, request_id: 'gathered', requests: 999, duration_ms: 250, response_size: 99_900 }),
    ];
    const save = createSaveRecords(database);
    await save(linesOf(records));
    await save(linesOf(records));

    const found = await findAll(proxy_id);
    const numbers = found['request_logs']?.map((row: { requests: number }) => row.requests);
    expect(numbers?.sort()).toEqual([1, 1, 999]);
    expect(found['hourly_requests']).toMatchObject([{ requests: 1_001, failed: 1_000, bytes: 100_001 }]);
    expect(found['daily_requests']).toMatchObject([{ requests: 1_001 }]);
    const traced = await database.kysely.selectFrom('llm_trace_queue').select('event_id').orderBy('id').execute();
    expect(traced.map(({ event_id }) => event_id)).toEqual(records.slice(0, 2).map(({ event_id }) => event_id));
  });

  test('are all saved but those that the database refuses', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'portcullis-save-'));
    const wrong = [
      sampleRequestLog({ proxy_id: 5, status_code: 3e9, user_agent: '' }),
      sampleUsage({ proxy_id: 5, total_tokens: 0.5 }),
    ];
    {
      await using spool = await openSpool({ maxBytes: 1e9, lingerMs: 0, log: silentLog, directory, database });
      const records = makeRecords(5);
      spool.append([...records.slice(0, 400), ...wrong, ...records.slice(400)]);
      await spool.drained(30_000);
      expect(spool.state().rejectedRecords).toBe(2);
    }
    await rm(directory, { recursive: true });
    expect(await findAll(5)).toEqual(await findAll(1));
  });
});
