import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files of tests that know `firstRun`, run by jest in a folder of their own; answers the lines of the runner itself. */
async function run(files: Record<string, string>, options: object): Promise<string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'portcullis-run-jest-'));
  for (const [name, tests] of Object.entries(files)) {
    const known = `
      import { existsSync, writeFileSync } from 'node:fs';
      const ran = ${JSON.stringify(join(folder.path, `${name}.ran`))};
      const firstRun = !existsSync(ran);
      writeFileSync(ran, '');`;
    await writeFile(join(folder.path, `${name}.test.mjs`), `${known}\n${tests}`);
  }
  const config = { rootDir: folder.path, testMatch: ['**/*.test.mjs'], transform: {} };
  const source = `
    import { runJest } from './scripts/run-jest.mjs';
    const parameters = ['--config', ${JSON.stringify(JSON.stringify(config))}];
    const counts = await runJest(parameters, {}, new AbortController().signal, ${JSON.stringify(options)});
    console.log(JSON.stringify(counts));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return output
    .trim()
    .replaceAll(/\S*\/(?=\w+\.test)/g, '')
    .split('\n');
}

const fine = `test('a', () => {}); test.skip('b', () => {});`;
const unlucky = `test('a', () => {}); test('b', () => expect(firstRun).toBe(false));`;
const broken = `test('a', () => {}); test('b', () => expect(1).toBe(2));`;

describe('the tests of npm test', () => {
  test('are counted, files that fail before their tests as one', async () => {
    expect(await run({ fine, broken, empty: 'throw new Error("no tests")' }, {})).toEqual([
      '{"passed":2,"failed":2,"skipped":1}',
    ]);
  });

  test('run once more when they fail in a few files, which are named', async () => {
    expect(await run({ fine, unlucky }, { repeat: true })).toEqual([
      'Once more, by themselves:',
      '! unlucky.test.mjs passed only at its second try',
      '{"passed":3,"failed":0,"skipped":1}',
    ]);
  });

  test('fail when they fail again', async () => {
    expect(await run({ unlucky, broken }, { repeat: true })).toEqual([
      'Once more, by themselves:',
      '! unlucky.test.mjs passed only at its second try',
      '{"passed":3,"failed":1,"skipped":0}',
    ]);
  });

  test('are not repeated when many files fail, or when somebody asked for single ones', async () => {
    const failing = { a: unlucky, b: unlucky, c: unlucky, d: unlucky };
    expect(await run(failing, { repeat: true })).toEqual(['{"passed":4,"failed":4,"skipped":0}']);
    expect(await run({ unlucky }, {})).toEqual(['{"passed":1,"failed":1,"skipped":0}']);
  });

  test('never look green when there are none', async () => {
    expect(await run({}, { repeat: true })).toEqual(['{"passed":0,"failed":1,"skipped":0}']);
  });
});
