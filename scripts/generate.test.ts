import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'portcullis-generate-'));
const target = join(root, 'docs/generated/greeting.md');

beforeAll(() => {
  mkdirSync(join(root, 'scripts'));
  for (const file of ['generate.mjs', 'generated-file.ts']) cpSync(join('scripts', file), join(root, 'scripts', file));
  writeFileSync(
    join(root, 'scripts/generate-greeting.ts'),
    `import { saveGenerated } from './generated-file.ts';
     saveGenerated('docs/generated/greeting.md', 'hello\\n');`,
  );
  writeFileSync(join(root, 'scripts/generate-greeting.test.ts'), 'throw new Error("a test is no generator");');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const generate = (...parameters: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/generate.mjs'), ...parameters], { encoding: 'utf8' });

test('generators write, and with --check only compare', () => {
  expect(generate('--check')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('greeting.md is out of date'),
  });
  expect(() => readFileSync(target)).toThrow('ENOENT');

  expect(generate()).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(target, 'utf8')).toBe('hello\n');
  expect(generate('--check')).toMatchObject({ status: 0, stderr: '' });

  writeFileSync(target, 'edited\n');
  expect(generate('--check').status).toBe(1);
  expect(readFileSync(target, 'utf8')).toBe('edited\n');
});

test('each column of a generated table has its heading', () => {
  const cellsOf = (line: string): number =>
    line
      .replaceAll(/`[^`]*`/g, '')
      .replaceAll('\\|', '')
      .split('|').length;
  for (const file of readdirSync('docs/generated').filter((name) => name.endsWith('.md'))) {
    let columns: number | undefined;
    for (const line of readFileSync(join('docs/generated', file), 'utf8').split('\n')) {
      if (!line.startsWith('|')) {
        columns = undefined;
        continue;
      }
      columns ??= cellsOf(line);
      expect([file, line, cellsOf(line)]).toEqual([file, line, columns]);
    }
  }
});
