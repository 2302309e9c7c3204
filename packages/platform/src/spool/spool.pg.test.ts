import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestLogRecord, SpoolRecord } from '@portcullis/contracts/records';
import { sampleAlert, sampleRequestLog, sampleUsage } from '../../test/spool/sample-records.ts';
import { createTestDatabase, databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import { renderAuditRecord, type AuditEntry } from '../audit/audit-entry.ts';
import { createSealKey } from '../audit/seal-key.ts';
import { verifyChain } from '../audit/verify-chain.ts';
import { Secret } from '../config/secret.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/connection/open-database.ts';
import { dropPartitions } from '../database/partitions.ts';
import { openSpool } from './open-spool.ts';

const impatient = { maxBytes: 1e9, lingerMs: 0, log: silentLog };

async function addKey(database: Database, name: string): Promise<number> {
  const group = await database.kysely
    .insertInto('user_groups')
    .values({ name })
    .returning('id')
    .executeTakeFirstOrThrow();
  const key = await database.kysely
    .insertInto('api_keys')
    .values({ user_group_id: group.id, key_hash: name, key_prefix: 'gw_' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return key.id;
}

const findUsage = (database: Database, keyId: number) =>
  database.kysely
    .selectFrom('api_key_usage')
    .select(['request_count', 'last_used_at'])
    .where('api_key_id', '=', keyId)
    .executeTakeFirst();

describe.each(databaseKinds)('what a spool drains into the %s database', (kind) => {
  let database: Database;
  let directory: string;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    directory = await mkdtemp(join(tmpdir(), 'portcullis-spool-'));
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  /** Appends the records and answers how many were rejected. */
  const drain = async (records: readonly SpoolRecord[]): Promise<number> => {
    await using spool = await openSpool({ ...impatient, directory, database });
    spool.append(records);
    await spool.drained(60_000);
    return spool.state().rejectedRecords;
  };
  const findAlert = (event_id: string) =>
    database.kysely.selectFrom('alerts').selectAll().where('event_id', '=', event_id).executeTakeFirstOrThrow();

  test('request logs, on their days, and what each key did', async () => {
    const key = await addKey(database, 'counted');
    const log = sampleRequestLog({ api_key_id: key });
    const { kind: _, ...columns } = log;
    await drain([
      log,
      sampleRequestLog({ api_key_id: key, timestamp: '2026-03-03T23:59:59.999Z' }),
      sampleRequestLog(),
    ]);

    const rows = await database.kysely.selectFrom('request_logs').selectAll().where('api_key_id', '=', key).execute();
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(expect.objectContaining({ ...columns, timestamp: new Date(log.timestamp) }));
    expect(await findUsage(database, key)).toEqual({ request_count: 2, last_used_at: new Date(log.timestamp) });
  });

  test('the same of a request whether it comes as a row or as JSON', async () => {
    const texts = ['', ' ', ',', '(a, b)', "'", 'NULL', '{}', 'ü 漢', '"', '\\', '😀', 'a\tb'];
    const logs = texts.map((text, index) =>
      sampleRequestLog({
        user_agent: text,
        path: `/${text}`,
        target_problem: index % 2 === 0 ? null : text,
        duration_ms: index * 1_000_000.001,
        timestamp: new Date(Date.UTC(2026, 2, 5) + index * 83_333_333).toISOString(),
      }),
    );
    expect(await drain(logs)).toBe(0);
    const rows = await database.kysely
      .selectFrom('request_logs')
      .selectAll()
      .where(
        'event_id',
        'in',
        logs.map(({ event_id }) => event_id),
      )
      .orderBy('timestamp')
      .execute();
    expect(rows).toEqual(
      logs.map(({ event_id, timestamp, user_agent, path, target_problem, duration_ms }) =>
        expect.objectContaining({
          event_id,
          timestamp: new Date(timestamp),
          user_agent,
          path,
          target_problem,
          duration_ms,
        }),
      ),
    );
  });

  test('a use of a key for each request that it opened, regardless of its end', async () => {
    const key = await addKey(database, 'refused');
    const refused = (denied_stage: string, timestamp: string) =>
      sampleRequestLog({ api_key_id: key, denied_stage, denied_reason: 'any', timestamp });
    const [opened, later] = ['2026-03-03T10:00:00.000Z', '2026-03-03T11:00:00.000Z'];
    await drain([
      ...['identify', 'check-group', 'check-access', 'check-budget', 'limit-rate', 'reserve-budget'].map((stage) =>
        refused(stage, later),
      ),
      refused('inspect-request', opened),
    ]);
    expect(await findUsage(database, key)).toEqual({ request_count: 1, last_used_at: new Date(opened) });
  });

  test('what is counted by another process counts for the key that caused it', async () => {
    const [owner, other] = [await addKey(database, 'owner'), await addKey(database, 'other')];
    const rough = { ...sampleUsage({ api_key_id: owner, cost_micro_usd: 1 }), kind: 'usage_rough' } as const;
    const counted = { ...rough, kind: 'usage_counted', api_key_id: other, cost_micro_usd: 70 } as const;
    for (const records of [[rough], [counted], [counted], [rough]]) await drain(records);
    const sums = await database.kysely
      .selectFrom('daily_usage')
      .select(['api_key_id', 'requests', 'cost_micro_usd'])
      .where('api_key_id', 'in', [owner, other])
      .execute();
    expect(sums).toEqual([{ api_key_id: owner, requests: 1, cost_micro_usd: 70 }]);
  });

  test.each([undefined, 4_900_000_000])('usage records, with %s for the stated cost', async (stated) => {
    const user = stated === undefined ? undefined : 7;
    const usage = sampleUsage({
      api_key_id: null,
      user_id: user,
      cost_micro_usd: 5_000_000_000,
      stated_cost_micro_usd: stated,
      session_id: 'trace_1',
    });
    const { kind: _, ...columns } = usage;
    await drain([usage]);
    const rows = await database.kysely
      .selectFrom('usage_records')
      .selectAll()
      .where('event_id', '=', usage.event_id)
      .execute();
    const given = {
      ...columns,
      user_id: user ?? null,
      stated_cost_micro_usd: stated ?? null,
      timestamp: new Date(usage.timestamp),
    };
    expect(rows).toEqual([{ ...given, id: expect.any(Number), rough: null }]);
  });

  test('what records leave out because it is usual', async () => {
    const log: RequestLogRecord = {
      ...sampleRequestLog(),
      risk_level: undefined,
      denied_reason: undefined,
      denied_stage: undefined,
      target_problem: undefined,
    };
    const { cached_input_tokens: _cached, cache_write_tokens: _write, ...usage } = sampleUsage();
    expect(await drain([log, { ...usage, reasoning_tokens: undefined }])).toBe(0);
    const found = await database.kysely
      .selectFrom('request_logs')
      .select(['risk_level', 'denied_reason', 'denied_stage', 'target_problem'])
      .where('event_id', '=', log.event_id)
      .execute();
    expect(found).toEqual([{ risk_level: 'None', denied_reason: null, denied_stage: null, target_problem: null }]);
    const tokens = await database.kysely
      .selectFrom('usage_records')
      .select(['cached_input_tokens', 'cache_write_tokens', 'reasoning_tokens'])
      .where('event_id', '=', usage.event_id)
      .execute();
    expect(tokens).toEqual([{ cached_input_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 }]);
  });

  test.each(['together', 'apart', 'twice', 'the wrong way round', 'the first alone'])(
    'a rough usage record and the one that was counted, %s, count once',
    async (way) => {
      const day = '2026-05-07';
      const model = `counted ${way}`;
      const rough = sampleUsage({ kind: 'usage_rough', timestamp: `${day}T12:00:00.000Z`, model, estimated: true });
      const counted: SpoolRecord = { ...rough, kind: 'usage_counted', output_tokens: 25, cost_micro_usd: 50 };
      const batches: Readonly<Record<string, readonly (readonly SpoolRecord[])[]>> = {
        together: [[rough, counted]],
        apart: [[rough], [counted]],
        twice: [[rough, counted], [rough, counted], [counted]],
        'the wrong way round': [[counted], [rough]],
        'the first alone': [[rough], [rough]],
      };
      for (const records of batches[way] ?? []) expect(await drain(records)).toBe(0);
      const last = way === 'the first alone' ? rough : counted;
      const sums = await database.kysely
        .selectFrom('daily_usage')
        .select(['requests', 'output_tokens', 'cost_micro_usd'])
        .where('model', '=', model)
        .execute();
      expect(sums).toEqual([{ requests: 1, output_tokens: last.output_tokens, cost_micro_usd: last.cost_micro_usd }]);
      const rows = await database.kysely.selectFrom('usage_records').selectAll().where('model', '=', model).execute();
      expect(rows).toEqual([expect.objectContaining({ event_id: rough.event_id, output_tokens: last.output_tokens })]);
    },
  );

  test('sums per day, in which a record counts once however often it arrives', async () => {
    const day = '2026-05-06';
    const [noon, evening] = [`${day}T12:00:00.000Z`, `${day}T23:59:59.999Z`];
    const usage = sampleUsage({ timestamp: noon, user_group_id: null, cost_micro_usd: 7 });
    const other = sampleUsage({ timestamp: noon, user_group_id: 5, model: 'gpt-y', cost_micro_usd: 9 });
    const log = sampleRequestLog({ timestamp: noon, api_key_id: 3 });
    await drain([usage, other, log]);
    await drain([
      usage,
      log,
      sampleUsage({ timestamp: evening, user_group_id: null, cost_micro_usd: 1 }),
      sampleRequestLog({ timestamp: evening, api_key_id: 3 }),
    ]);

    const sums = await database.kysely
      .selectFrom('daily_usage')
      .selectAll()
      .where('day', '=', day)
      .orderBy('model')
      .execute();
    const ids = { day, proxy_id: 7, api_key_id: 1, protocol: 'openai-chat' };
    expect(sums).toEqual([
      {
        ...ids,
        user_group_id: 0,
        model: 'gpt-x',
        requests: 2,
        input_tokens: 22,
        output_tokens: 44,
        total_tokens: 66,
        cost_micro_usd: 8,
      },
      {
        ...ids,
        user_group_id: 5,
        model: 'gpt-y',
        requests: 1,
        input_tokens: 11,
        output_tokens: 22,
        total_tokens: 33,
        cost_micro_usd: 9,
      },
    ]);
    const requests = database.kysely.selectFrom('daily_requests').selectAll().where('day', '=', day);
    expect(await requests.execute()).toEqual([{ day, proxy_id: 7, user_group_id: 0, api_key_id: 3, requests: 2 }]);
  });

  test('alerts, each with a message in the outbox as the API renders it', async () => {
    const alert = sampleAlert({ proxy_type: 'a2a', user_group: null });
    const { kind: _, event_id, timestamp, ...shared } = alert;
    await drain([alert, sampleAlert({ title: 'later' })]);

    const row = await findAlert(event_id);
    expect(row).toMatchObject({ ...shared, status: 'new', created_at: new Date(timestamp), deleted_at: null });
    const messages = await database.kysely.selectFrom('outbox').select(['topic', 'payload']).orderBy('id').execute();
    expect(messages).toHaveLength(2);
    expect(messages[0]).toEqual({
      topic: 'alert',
      payload: {
        ...shared,
        id: row.id,
        status: 'new',
        assignee: null,
        created_at: timestamp,
        updated_at: row.updated_at.toISOString(),
      },
    });
    expect(messages[1]?.payload).toMatchObject({ id: row.id + 1, title: 'later' });
  });

  test('audit records, chained once however often they arrive', async () => {
    const entry = (id: number): AuditEntry => ({
      event_type: 'security.access.denied',
      actor: { type: 'api_key', id, name: 'ci \ud800' },
      details: { path: '/\0' },
    });
    const records = [renderAuditRecord(entry(1)), renderAuditRecord(entry(2))];
    expect(await drain([...records, sampleRequestLog()])).toBe(0);
    expect(await drain([...records, ...records, renderAuditRecord(entry(3))])).toBe(0);
    const rows = await database.kysely.selectFrom('audit_log').selectAll().orderBy('id').execute();
    expect(rows.map(({ id, actor_id: actor }) => [id, actor])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    const { kind: _, ...columns } = records[0] ?? renderAuditRecord(entry(0));
    expect(rows[0]).toMatchObject({
      ...columns,
      timestamp: new Date(columns.timestamp),
      actor_name: 'ci \ufffd',
      details: { path: '/\ufffd' },
    });
    const key = createSealKey(new Secret('k'.repeat(32)));
    expect(await verifyChain(database, key)).toMatchObject({ valid: true, records: 3 });
  });

  test('the same records again change nothing', async () => {
    const key = await addKey(database, 'once');
    const records = [sampleRequestLog({ api_key_id: key }), sampleUsage(), sampleAlert()];
    await drain(records);
    const messages = () => database.kysely.selectFrom('outbox').select('id').execute();
    const before = await messages();
    await drain([...records, ...records]);
    expect(await findUsage(database, key)).toMatchObject({ request_count: 1 });
    expect(await messages()).toEqual(before);
  });

  test('a record that the database refuses is left out, the rest is saved', async () => {
    const [log, usage, alert] = [sampleRequestLog(), sampleUsage(), sampleAlert()];
    const refused = [
      sampleRequestLog({ status_code: 3e9 }),
      sampleAlert({ proxy_id: 0.5 }),
      sampleUsage({ timestamp: '2026-02-30T00:00:00.000Z' }),
    ];
    expect(await drain([log, ...refused, usage, alert])).toBe(3);
    const found = await database.kysely
      .selectFrom('request_logs')
      .select('event_id')
      .where('event_id', 'in', [log.event_id, refused[0]?.event_id ?? ''])
      .execute();
    expect(found).toEqual([{ event_id: log.event_id }]);
    expect(await findAlert(alert.event_id)).toMatchObject({ title: alert.title });
  });

  test('evidence that PostgreSQL cannot store as it came does not cost the alert', async () => {
    const alert = sampleAlert({ title: 'nul \0 half \uD800', raw_data: { evidence: '\0\uDC00' } });
    expect(await drain([alert])).toBe(0);
    expect(await findAlert(alert.event_id)).toMatchObject({
      title: 'nul \uFFFD half \uFFFD',
      raw_data: { evidence: '\uFFFD\uFFFD' },
    });
  });

  test('a request of a key that is gone is kept and counts for no group', async () => {
    const log = sampleRequestLog({ api_key_id: 123_456 });
    expect(await drain([log])).toBe(0);
    expect(await findUsage(database, 123_456)).toBeUndefined();
  });

  test('a record whose day was dropped meanwhile gets its day back', async () => {
    await using spool = await openSpool({ ...impatient, directory, database });
    const late = [sampleUsage(), sampleUsage()].map((usage) => ({ ...usage, timestamp: '2020-01-01T12:00:00.000Z' }));
    for (const usage of late) {
      spool.append([usage]);
      await spool.drained(60_000);
      const dropped = await dropPartitions(database.kysely, 'usage_records', new Date('2020-01-02T00:00:00Z'));
      expect(dropped).toEqual(['2020-01-01']);
    }
    expect(spool.state().rejectedRecords).toBe(0);
  });
});

test.each(databaseKinds)('nothing that was called written is lost with a killed process (%s)', async (kind) => {
  await using address = await createTestDatabase(kind);
  const options = { ...address, maxConnections: 2, queryTimeoutMs: 10_000, log: silentLog };
  await using folder = new AsyncDisposableStack();
  const dataDirectory = kind === 'embedded' ? address.dataDirectory : await mkdtemp(join(tmpdir(), 'portcullis-kill-'));
  folder.defer(() => rm(dataDirectory, { recursive: true }));
  const key = await (async () => {
    await using database = await openDatabase(options);
    return await addKey(database, 'killed');
  })();

  const script = join(import.meta.dirname, '../../test/spool/append-until-killed.ts');
  const parameters = [script, dataDirectory, String(key), ...(address.url === undefined ? [] : [address.url.reveal()])];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  const written: string[] = [];
  for await (const id of createInterface(child.stdout)) {
    written.push(id);
    if (written.length === 500) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  expect(written.length).toBeGreaterThanOrEqual(500);

  await using database = await openDatabase(options);
  await using spool = await openSpool({ ...impatient, directory: join(dataDirectory, 'spool'), database });
  await spool.drained(60_000);
  const logs = await database.kysely.selectFrom('request_logs').select('event_id').execute();
  const alerts = await database.kysely.selectFrom('alerts').select('event_id').execute();
  const messages = await database.kysely.selectFrom('outbox').select('id').execute();
  const saved = [...logs, ...alerts].map(({ event_id }) => event_id);
  expect(new Set(written).difference(new Set(saved))).toEqual(new Set());
  expect(new Set(saved).size).toBe(saved.length);
  expect(await findUsage(database, key)).toMatchObject({ request_count: logs.length });
  expect(messages).toHaveLength(alerts.length);
});
