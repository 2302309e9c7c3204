import { describe, expect, test } from '@jest/globals';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { createTestDatabase, databaseKinds, silentLog } from '@portcullis/platform/test/test-database';
import { openDatabase } from '@portcullis/platform/database/open-database';
import { sql } from 'kysely';
import { execFile } from 'node:child_process';
import { join } from 'node:path';

interface Run {
  readonly code: number;
  readonly output: string;
}

const verify = (environment: Record<string, string>): Promise<Run> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], ENCRYPTION_KEY: 'e'.repeat(32), ...environment };
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, 'verify-audit.ts')],
      { env },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, output: out + err }),
    );
  });

describe.each(databaseKinds)('npm run verify-audit (%s)', (kind) => {
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
