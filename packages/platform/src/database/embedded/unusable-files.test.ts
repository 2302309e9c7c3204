import { cp, mkdtemp, open, readdir, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabaseAddress } from '../../../test/test-database.ts';
import { openDatabase } from '../connection/open-database.ts';
import { UnusableFiles } from './unusable-files.ts';

const options = { maxConnections: 1, queryTimeoutMs: 5_000, log: silentLog };

async function overwrite(file: string, length: number): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(length, 0xee), 0, length, 0);
}

async function overwriteLog(directory: string): Promise<void> {
  const folder = join(directory, 'pg_wal');
  const files = (await readdir(folder)).filter((name) => /^[\dA-F]{24}$/.test(name));
  for (const name of files) await overwrite(join(folder, name), 1_000_000);
}

const damages: readonly (readonly [what: string, reason: string, damage: (directory: string) => Promise<unknown>])[] = [
  [
    'its control file cut off',
    'could not read file "global/pg_control"',
    (at) => truncate(join(at, 'global/pg_control'), 100),
  ],
  ['its control file overwritten', 'incompatible', (at) => overwrite(join(at, 'global/pg_control'), 300)],
  ['its control file gone', 'could not open file "global/pg_control"', (at) => unlink(join(at, 'global/pg_control'))],
  ['its log overwritten', 'could not locate a valid checkpoint record', overwriteLog],
  ['the files of another version', 'incompatible', (at) => writeFile(join(at, 'PG_VERSION'), '12\n')],
  ['its version gone', 'PG_VERSION is missing', (at) => unlink(join(at, 'PG_VERSION'))],
  ['its tables gone', 'does not exist', (at) => rm(join(at, 'base'), { recursive: true })],
];

let address: TestDatabaseAddress;
let copy: string;
beforeEach(async () => {
  address = await createTestDatabase('embedded');
  copy = await mkdtemp(join(tmpdir(), 'portcullis-copy-'));
  await cp(address.dataDirectory, copy, { recursive: true });
});
afterEach(async () => {
  await address[Symbol.asyncDispose]();
  await rm(copy, { recursive: true, force: true });
});

describe('a start on a database with', () => {
  test.each(damages)('%s tells why and what to do: %s', async (_what, reason, damage) => {
    const directory = join(address.dataDirectory, 'database');
    await damage(directory);
    const problem = await openDatabase({ ...options, ...address }).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(UnusableFiles);
    const { message } = problem as UnusableFiles;
    expect(message).toContain(`The embedded database in ${directory} does not start: `);
    expect(message).toContain(reason);
    expect(message).toContain('put the last good copy of the data directory in its place');

    await rm(address.dataDirectory, { recursive: true });
    await cp(copy, address.dataDirectory, { recursive: true });
    await using database = await openDatabase({ ...options, ...address });
    await database.kysely.selectFrom('users').selectAll().execute();
  });
});

test.each([
  ['could not extend file: No space left on device', 'Make room on its disk'],
  ['could not open file "global/pg_control": Permission denied', 'Let the user of this process read and write it'],
])('%s is no damage', (reason, advice) => {
  expect(new UnusableFiles('/data/database', new Error(reason)).message).toBe(
    `The embedded database in /data/database does not start: ${reason}. ${advice}${advice.startsWith('Make') ? ' and start again; what was committed is kept' : ''}.`,
  );
});
