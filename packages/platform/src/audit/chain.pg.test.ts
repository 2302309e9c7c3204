import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import { Secret } from '../config/secret.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/connection/open-database.ts';
import type { AuditEntry } from './audit-entry.ts';
import { expireAudit } from './expire-audit.ts';
import { recordAudit } from './record-audit.ts';
import { sealChain } from './seal-chain.ts';
import { createSealKey } from './seal-key.ts';
import { verifyChain } from './verify-chain.ts';

const key = createSealKey(new Secret('k'.repeat(32)));
const entry = (number: number): AuditEntry => ({
  event_type: 'proxy.updated',
  actor: { type: 'user', id: 1, name: 'ü "quoted" \\ \u{1f600}\0' },
  resource: { type: 'proxy', id: number, name: `proxy-${number}` },
  details: { big: 1e20, small: 1.5e-7, nested: [null, true, { z: 1, a: '\u2028' }] },
  changes: { port: { from: number, to: number + 1 } },
});

describe.each(databaseKinds)('the audit chain in the %s database', (kind) => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeEach(async () => {
    database = await openTestDatabase(kind);
  });
  afterEach(async () => {
    await database[Symbol.asyncDispose]();
  });

  const record = async (count: number) => {
    for (let number = 1; number <= count; number += 1) await recordAudit(database.kysely, entry(number));
  };
  /** Does to the database what the append-only trigger refuses. */
  const tamper = (statement: string) =>
    database.kysely.transaction().execute(async (transaction) => {
      await sql.raw('alter table audit_log disable trigger all').execute(transaction);
      await sql.raw(statement).execute(transaction);
      await sql.raw('alter table audit_log enable trigger all').execute(transaction);
    });
  const problem = async () => (await verifyChain(database, key)).problem;

  test('is whole after 2,500 records, and while it is empty', async () => {
    expect(await verifyChain(database, key)).toMatchObject({ valid: true, records: 0 });
    await record(1);
    await sql`
      insert into audit_log (event_id, timestamp, event_type, severity, actor_type, action, result)
      select gen_random_uuid(), now(), 'auth.login', 'info', 'user', 'login', 'success' from generate_series(1, 2499)
    `.execute(database.kysely);
    expect(await verifyChain(database, key)).toMatchObject({ valid: true, records: 2_500, sealed_id: null });
  });

  test('refuses to be changed, emptied or cut', async () => {
    await record(1);
    for (const statement of ["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log']) {
      await expect(sql.raw(statement).execute(database.kysely)).rejects.toThrow('append-only');
    }
  });

  test.each([
    ['a changed field', "update audit_log set actor_name = 'other' where id = 3", 3],
    ['a changed detail', `update audit_log set details = '{"big": 2}' where id = 2`, 2],
    ['a changed hash', "update audit_log set hash = repeat('a', 64) where id = 4", 4],
    ['a removed record', 'delete from audit_log where id = 3', 3],
    ['a removed end', 'delete from audit_log where id = 5', 5],
    [
      'swapped records',
      `update audit_log set id = id + 100 where id in (2, 3);
       update audit_log set id = case id when 102 then 3 else 2 end where id in (102, 103)`,
      2,
    ],
    ['a record before the chain', 'update audit_log set id = 0 where id = 1', 0],
    ['a record behind the chain', 'update audit_log set id = 9 where id = 5', 9],
  ])('shows %s', async (_, statement, recordId) => {
    await record(5);
    expect(await problem()).toBeNull();
    await tamper(statement);
    expect(await problem()).toEqual({ record_id: recordId, reason: expect.any(String) });
  });

  test('shows records that were written anew with fitting hashes, once they are sealed', async () => {
    await record(3);
    expect(await sealChain(database, key)).toMatchObject({ sealed: { record_id: 3 } });
    await record(2);
    await forgeFrom(2);
    expect(await problem()).toMatchObject({ record_id: 3, reason: expect.stringContaining('seal') });
    expect(await sealChain(database, key)).toMatchObject({ problem: { record_id: 4 } });
  });

  test('shows a chain that was cut off behind a seal, and a seal by another key', async () => {
    await record(3);
    await sealChain(database, createSealKey(new Secret('x'.repeat(32))));
    expect(await problem()).toMatchObject({ record_id: 3 });
    await tamper(`delete from audit_log where id > 1;
      update audit_chain set last_id = 1, last_hash = (select hash from audit_log where id = 1)`);
    expect(await problem()).toMatchObject({ record_id: 2, reason: expect.stringContaining('sealed up to record 3') });
  });

  /** Removes the records from one on and appends other ones: what an attacker with all rights could do. */
  const forgeFrom = async (id: number) => {
    await tamper(`create temporary table kept on commit drop as select * from audit_log where id >= ${id} order by id;
      delete from audit_log where id >= ${id};
      update audit_chain set last_id = ${id - 1}, last_hash = (select hash from audit_log where id = ${id - 1});
      alter table audit_log enable trigger audit_chain;
      update kept set action = 'forged';
      do $$ begin
        execute (select format('insert into audit_log (%1$s) select %1$s from kept order by id', string_agg(column_name, ','))
          from information_schema.columns where table_name = 'audit_log' and is_generated = 'NEVER');
      end $$`);
  };

  test('is sealed only as far as it grew, and only once', async () => {
    expect(await sealChain(database, key)).toEqual({});
    await record(2);
    expect(await sealChain(database, key)).toMatchObject({ sealed: { record_id: 2 } });
    expect(await sealChain(database, key)).toEqual({});
    await record(1);
    expect(await verifyChain(database, key)).toMatchObject({ valid: true, records: 3, sealed_id: 2 });
  });

  test('begins at a sealed anchor when its oldest records have expired', async () => {
    await record(4);
    await tamper(`update audit_log set timestamp = '2020-01-01' where id <= 3`);
    await record(1);
    const dropped = await expireAudit(database, key, new Date('2021-01-01'));
    expect(dropped).toBe(3);
    expect(await verifyChain(database, key)).toMatchObject({ valid: true, anchor: { record_id: 3 }, sealed_id: 3 });
    const newest = await database.kysely.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).execute();
    expect(newest).toMatchObject([{ event_type: 'audit.expired', details: { records: 3, first_id: 1, last_id: 3 } }]);
    expect(await expireAudit(database, key, new Date('2021-01-01'))).toBe(0);

    await tamper(`update audit_chain set anchor_hash = repeat('1', 64)`);
    expect(await problem()).toMatchObject({ record_id: 3 });
  });

  test('gives every record its place, with others appending at the same time', async () => {
    await using second =
      kind === 'server'
        ? await openDatabase({ ...database.address, maxConnections: 5, queryTimeoutMs: 10_000, log: silentLog })
        : undefined;
    const writers: Database[] = [database, second ?? database];
    const writes = Array.from({ length: 100 }, async (_, number) => {
      const { kysely } = writers[number % 2] ?? database;
      if (number % 3 === 0) return recordAudit(kysely, entry(number));
      return kysely
        .transaction()
        .execute(async (transaction) => {
          await recordAudit(transaction, entry(number));
          if (number % 5 === 0) throw new Error('taken back');
        })
        .catch(() => undefined);
    });
    await Promise.all(writes);
    const kept = Array.from({ length: 100 }, (_, number) => number).filter(
      (number) => number % 3 === 0 || number % 5 !== 0,
    );
    expect(await verifyChain(database, key)).toMatchObject({ valid: true, records: kept.length, problem: null });
  });
});
