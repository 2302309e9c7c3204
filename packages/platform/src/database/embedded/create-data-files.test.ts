import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { silentLog } from '../../../test/test-database.ts';
import { openDatabase } from '../connection/open-database.ts';
import { createDataFiles } from './create-data-files.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'portcullis-data-files-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

test('makes a whole database that PostgreSQL starts on, and clears away what a killed process left', async () => {
  await mkdir(join(folder, 'database.new-4711/base'), { recursive: true });
  await using database = await openDatabase({
    dataDirectory: folder,
    maxConnections: 1,
    queryTimeoutMs: 5_000,
    log: silentLog,
  });

  expect((await readdir(folder)).filter((name) => name.startsWith('database'))).toEqual(['database', 'database.lock']);
  // Its default would keep a hundred megabytes more of what the operating system keeps, too.
  const { rows } = await sql<{ shared_buffers: string }>`show shared_buffers`.execute(database.kysely);
  expect(rows).toEqual([{ shared_buffers: '16MB' }]);
});

test('never touches a folder with files that are no database', async () => {
  const directory = join(folder, 'database');
  await mkdir(directory);
  await writeFile(join(directory, 'precious'), 'data');

  await expect(createDataFiles(directory, silentLog)).rejects.toThrow(
    `${directory} holds no database (PG_VERSION is missing) and is not empty`,
  );
  expect(await readdir(folder)).toEqual(['database']);
});

test('leaves nothing behind when the files cannot be made', async () => {
  const directory = join(folder, 'absent', 'database');
  await expect(createDataFiles(directory, silentLog)).rejects.toThrow('ENOENT');
  expect(existsSync(join(folder, 'absent'))).toBe(false);
});
