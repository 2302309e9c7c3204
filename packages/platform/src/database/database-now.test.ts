import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../../../..');

test('no statement writes the clock of its process beside that of the database', async () => {
  const found: string[] = [];
  for await (const path of glob('{apps,packages}/*/src/**/*.ts', { cwd: root })) {
    if (path.endsWith('.test.ts')) continue;
    if (/\b(?:created|updated)_at: new Date\(/.test(await readFile(join(root, path), 'utf8'))) found.push(path);
  }
  expect(found).toEqual([]);
});
