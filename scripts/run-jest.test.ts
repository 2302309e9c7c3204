import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** What the runner counts of files with tests, run by jest in a folder of their own. */
async function run(files: Record<string, string>): Promise<{ readonly profile: Record<string, object> }> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'portcullis-run-jest-'));
  for (const [name, tests] of Object.entries(files)) await writeFile(join(folder.path, `${name}.test.mjs`), tests);
  const config = {
    rootDir: folder.path,
    testMatch: ['**/*.test.mjs'],
    runner: join(import.meta.dirname, 'test-runner.mjs'),
  };
  const source = `
    import { runJest } from './scripts/run-jest.mjs';
    const parameters = ['--config', ${JSON.stringify(JSON.stringify(config))}];
    const counts = await runJest(parameters, {}, new AbortController().signal);
    console.log(JSON.stringify(counts));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(output) as { readonly profile: Record<string, object> };
}

const globals = `import { expect, test } from '@jest/globals';`;
const fine = `${globals} test('a', () => {}); test.skip('b', () => {});`;
const broken = `${globals} test('a', () => {}); test('b', () => expect(1).toBe(2));`;

describe('the tests of npm test', () => {
  test('are counted, files that fail before their tests as one', async () => {
    const files = { fine, broken, empty: 'throw new Error("no tests")' };
    const { profile, ...counts } = await run(files);
    expect(counts).toEqual({ passed: 2, failed: 2, skipped: 1 });
    const measured = Object.entries(profile).map(([file, times]) => [basename(file), Object.keys(times)]);
    const columns = ['totalMs', 'toFirstTestMs', 'waitingMs', 'processorMs', 'processes', 'databases'];
    expect(Object.fromEntries(measured)).toEqual({ 'broken.test.mjs': columns, 'fine.test.mjs': columns });
  });

  test('never look green when there are none', async () => {
    expect(await run({})).toEqual({ passed: 0, failed: 1, skipped: 0, profile: {} });
  });
});
