import { afterAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Exceptions, PatternReport } from './check-files.ts';

const root = mkdtempSync(join(tmpdir(), 'portcullis-patterns-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, code: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), code);
}

/** In a process of its own, as modules are brought in. */
function check(exceptions: Exceptions): PatternReport {
  const script = `
    import { checkFiles } from ${JSON.stringify(join(import.meta.dirname, 'check-files.ts'))};
    console.log(JSON.stringify(await checkFiles(${JSON.stringify(root)}, ${JSON.stringify(exceptions)})));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return JSON.parse(stdout) as PatternReport;
}

test('literals, built patterns and schemas are judged, and exceptions count while they are needed', () => {
  write('package.json', '{ "type": "module" }');
  write('apps/a/src/literal.ts', 'export const trim = (text: string) => text.replace(/x+$/, "") + /fine/.source;');
  write(
    'apps/a/src/built.ts',
    'const word = "\\\\w+";\nexport const built = new RegExp(`${word}@`);\nexport const later = (name: string) => new RegExp(name);',
  );
  write('packages/contracts/src/name.ts', 'export const Name = { type: "string", pattern: "^ *[a-z ]*!$" };');
  write('apps/a/src/literal.test.ts', 'export const unread = /x+$/;');

  const plain = check({ allowed: [], later: [] });
  expect(plain.judged).toBe(4);
  expect(plain.problems.toSorted()).toEqual([
    expect.stringMatching(/^apps\/a\/src\/built\.ts:2 .*from every place/),
    'apps/a/src/built.ts:3 builds 1 patterns later, of which 0 are known',
    expect.stringMatching(/^apps\/a\/src\/literal\.ts:1 .*from every place/),
    expect.stringMatching(/^packages\/contracts:0 .*in every way/),
  ]);

  const why = 'short';
  const allowed = [
    { file: 'apps/a/src/literal.ts', start: 'x+', longestText: 10, why },
    { file: 'apps/a/src/built.ts', start: '\\w+@', longestText: 10, why },
    { file: 'packages/contracts', start: '^ *', longestText: 10, why },
  ];
  const later = [{ file: 'apps/a/src/built.ts', count: 1, why }];
  expect(check({ allowed, later }).problems).toEqual([]);
  const idle = { file: 'apps/a/src/gone.ts', start: 'x', longestText: 10, why };
  expect(check({ allowed: [...allowed, idle], later }).problems).toEqual([
    'apps/a/src/gone.ts: an exception that nothing needs',
  ]);
});
