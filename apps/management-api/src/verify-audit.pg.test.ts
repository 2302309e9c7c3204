import { describe, expect, test } from '@jest/globals';
import { cutAuditLog } from '@portcullis/platform/test/cut-audit-log';
import { renderHead } from '@portcullis/platform/audit/chain-head';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { sealChain } from '@portcullis/platform/audit/seal-chain';
import { createSealKey } from '@portcullis/platform/audit/seal-key';
import { Secret } from '@portcullis/platform/config/secret';
import type { Database } from '@portcullis/platform/database/database';
import { createTestDatabase, stores, silentLog } from '@portcullis/platform/test/test-database';
import { openDatabase } from '@portcullis/platform/database/connection/open-database';
import { sql } from 'kysely';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Run {
  readonly code: number;
  readonly output: string;
}

const verify = (environment: Record<string, string>, ...parameters: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], ENCRYPTION_KEY: 'e'.repeat(32), ...environment };
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, 'verify-audit.ts'), ...parameters],
      { env },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, output: out + err }),
    );
  });

describe.each(stores)('npm run verify-audit (%s)', (kind) => {
  test('ends with 0 for a whole chain and with 1, naming the record, for a broken one', async () => {
    await using address = await createTestDatabase(kind);
    const environment = {
      DATA_DIR: address.dataDirectory,
      ...(address.url !== undefined && { DATABASE_URL: address.url.reveal() }),
    };
    const change = async (statements: string[]) => {
      await using database = await openDatabase({
        ...address,
        maxConnections: 1,
        queryTimeoutMs: 10_000,
        log: silentLog,
      });
      const actor = { type: 'system', id: null, name: null } as const;
      for (const statement of statements) {
        if (statement === 'record') await recordAudit(database.kysely, { event_type: 'email_sent', actor });
        else await sql.raw(statement).execute(database.kysely);
      }
    };

    expect(await verify(environment)).toEqual({ code: 0, output: 'The audit log is whole: it holds no records.\n' });
    await change(['record', 'record', 'record']);
    expect(await verify(environment)).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^The audit log is whole: 3 records, 1 to 3, none is sealed yet\.\nIt ends with [0-9a-f]{64}\n$/,
      ),
    });
    await change(['alter table audit_log disable trigger all', "update audit_log set result = 'failure' where id = 2"]);
    expect(await verify(environment)).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^The audit log is broken: record 2 was changed.* 1 records before it are whole\.\n$/,
      ),
    });
  });
});

test('npm run verify-audit --head finds a tail that was cut together with its seals', async () => {
  await using address = await createTestDatabase('embedded');
  const key = createSealKey(new Secret('e'.repeat(32)));
  const environment = { DATA_DIR: address.dataDirectory };
  const work = async <Result>(task: (database: Database) => Promise<Result>): Promise<Result> => {
    await using database = await openDatabase({
      ...address,
      maxConnections: 1,
      queryTimeoutMs: 10_000,
      log: silentLog,
    });
    return await task(database);
  };
  const actor = { type: 'system', id: null, name: null } as const;
  const add = async ({ kysely }: Database, count: number) => {
    for (let left = count; left > 0; left -= 1) await recordAudit(kysely, { event_type: 'email_sent', actor });
  };
  const head = await work(async (database) => {
    await add(database, 4);
    const { sealed } = await sealChain(database, key);
    return renderHead(sealed ?? { record_id: 0, hash: '' }, key);
  });
  expect(head).toMatch(/^4:/);
  await work((database) => add(database, 1));
  const answer = join(address.dataDirectory, 'head.json');
  writeFileSync(answer, JSON.stringify({ success: true, data: { record_id: 4, head } }));
  for (const given of [head, answer]) {
    expect(await verify(environment, '--head', given)).toEqual({
      code: 0,
      output: expect.stringMatching(/^The published head, record 4, holds\.\nThe audit log is whole: 5 records/),
    });
  }
  const forged = head.replace(/^4:/, '3:');
  expect(await verify(environment, '--head', forged)).toMatchObject({
    code: 2,
    output: expect.stringMatching(/signature/),
  });
  expect(await verify(environment, '--head', 'nonsense')).toMatchObject({ code: 2 });

  await work((database) => cutAuditLog(database, 2));
  expect(await verify(environment)).toMatchObject({ code: 0 });
  expect(await verify(environment, '--head', head)).toEqual({
    code: 1,
    output: expect.stringContaining('record 3 is missing: the chain was published up to record 4'),
  });
  // Filled up with other records it is not the same chain either.
  await work((database) => add(database, 3));
  expect(await verify(environment)).toMatchObject({ code: 0 });
  expect(await verify(environment, '--head', head)).toMatchObject({
    code: 1,
    output: expect.stringContaining('record 4 is not the one that was published'),
  });
});

test('npm run verify-audit leaves the database of a running gateway alone', async () => {
  await using address = await createTestDatabase('embedded');
  await using _held = await openDatabase({ ...address, maxConnections: 1, queryTimeoutMs: 10_000, log: silentLog });
  const run = await verify({ DATA_DIR: address.dataDirectory });
  expect(run).toEqual({ code: 2, output: expect.stringContaining('ask it for GET /api/v1/audit/verify') });
});

test('npm run verify-audit ends with 2 where there is nothing to look at', async () => {
  const run = await verify({ DATA_DIR: '/nowhere/at/all' });
  expect(run).toEqual({ code: 2, output: expect.stringContaining('there is no database in /nowhere/at/all') });
});
