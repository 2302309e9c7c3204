import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// A boundary that cannot be crossed by accident is one that a check reports. Every case here breaks
// one in a copy of the workspace's skeleton and asks the check that should see it.

const skeleton = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'turbo.json',
  '.oxlintrc.json',
  'bench/package.json',
  'bench/turbo.json',
  ...globSync('{apps,packages}/*/{package,turbo}.json'),
];
const copies = mkdtempSync(join(tmpdir(), 'portcullis-boundaries-'));
afterAll(() => rmSync(copies, { recursive: true, force: true }));

let root = '';
let count = 0;
beforeEach(() => {
  root = join(copies, String((count += 1)));
  for (const file of skeleton) cpSync(file, join(root, file));
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Declares dependencies in a package.json of the copy. */
function depend(folder: string, dependencies: Record<string, string>): void {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as { dependencies: object };
  write(file, JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, ...dependencies } }));
}

async function run(program: string, parameters: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(join(import.meta.dirname, '../node_modules/.bin', program), parameters, {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

describe('the lint reports', () => {
  test.each([
    ['core, reading files', 'packages/core/src/a.ts', "import 'node:fs';", 'core is pure'],
    [
      'core, opening sockets',
      'packages/core/src/a.ts',
      "import { connect } from 'node:net';\nconnect(1);",
      'core is pure',
    ],
    ['core, using platform', 'packages/core/src/a.ts', "import '@portcullis/platform/log/logger';", 'core is pure'],
    [
      'core, making up randomness',
      'packages/core/src/a.ts',
      "import { randomUUID } from 'node:crypto';\nrandomUUID();",
      'randomness is an argument',
    ],
    ['core, reading the clock', 'packages/core/src/a.ts', 'export const a = Date.now();', 'time is an argument'],
    ['core, fetching', 'packages/core/src/a.ts', "await fetch('http://localhost');", 'core is pure'],
    [
      'contracts, using core',
      'packages/contracts/src/a.ts',
      "import '@portcullis/core/json/visit-strings';",
      'typebox and nothing else',
    ],
    ['contracts, using Node', 'packages/contracts/src/a.ts', "import 'node:crypto';", 'typebox and nothing else'],
    [
      'platform, using an app',
      'packages/platform/src/a.ts',
      "import '@portcullis/notifier/service';",
      'platform imports contracts and core',
    ],
    [
      'platform, using the testkit',
      'packages/platform/src/a.ts',
      "import '@portcullis/testkit/wait-for';",
      'testkit only in tests',
    ],
    [
      'testkit, using an app',
      'packages/testkit/src/a.ts',
      "import '@portcullis/gateway/main';",
      'testkit never imports an app',
    ],
    [
      'an app, using another app',
      'apps/notifier/src/a.ts',
      "import '@portcullis/proxy-runtime/service';",
      'no other app',
    ],
    [
      'the test of an app, using another app',
      'apps/notifier/src/a.test.ts',
      "import '@portcullis/proxy-runtime/service';",
      'only the launcher imports apps',
    ],
    [
      'an app, using the testkit',
      'apps/notifier/src/a.ts',
      "import '@portcullis/testkit/wait-for';",
      'testkit only in tests',
    ],
    [
      'an app, reading the environment',
      'apps/notifier/src/a.ts',
      'export const a = process.env.HOME;',
      'no-process-env',
    ],
  ])('%s', async (_case, file, source, message) => {
    write(file, `${source}\n`);
    const { code, output } = await run('oxlint', []);
    expect(output).toContain(message);
    expect(code).toBe(1);
  });

  test('nothing about imports that follow the direction', async () => {
    write('packages/contracts/src/a.ts', "export { Type } from 'typebox';\n");
    write(
      'packages/core/src/a.ts',
      "export { a } from '@portcullis/contracts/a';\nexport { createHash } from 'node:crypto';\n",
    );
    write('packages/core/src/a.test.ts', "import 'node:fs';\n");
    write(
      'packages/platform/src/a.ts',
      "export { a } from '@portcullis/core/a';\nexport { connect } from 'node:net';\n",
    );
    write('packages/testkit/src/a.ts', "export { a } from '@portcullis/platform/a';\n");
    write('apps/notifier/src/a.ts', "export { a } from '@portcullis/platform/a';\n");
    write('apps/notifier/src/a.test.ts', "export { a } from '@portcullis/testkit/a';\n");
    write('apps/gateway/src/a.ts', "export { createNotifierService } from '@portcullis/notifier/service';\n");
    expect(await run('oxlint', ['--deny-warnings'])).toMatchObject({ code: 0 });
  });
});

describe('the boundary check reports', () => {
  test.each([
    ['core, depending on platform', 'packages/core', '@portcullis/platform'],
    ['contracts, depending on core', 'packages/contracts', '@portcullis/core'],
    ['platform, depending on an app', 'packages/platform', '@portcullis/notifier'],
    ['an app, depending on what tables are trained with', 'apps/notifier', '@portcullis/detector-training'],
    ['testkit, depending on an app', 'packages/testkit', '@portcullis/management-api'],
    ['an app, depending on another', 'apps/notifier', '@portcullis/proxy-runtime'],
    ['an app, depending on the launcher', 'apps/notifier', '@portcullis/gateway'],
  ])('%s', async (_case, folder, dependency) => {
    depend(folder, { [dependency]: 'workspace:*' });
    const { code, output } = await run('turbo', ['boundaries']);
    expect(output).toContain(dependency);
    expect(output).toContain('issues found');
    expect(code).toBe(1);
  });

  test('an import that package.json does not declare', async () => {
    write('packages/core/src/a.ts', "import 'express';\n");
    const { code, output } = await run('turbo', ['boundaries']);
    expect(output).toContain('cannot import package `express`');
    expect(code).toBe(1);
  });

  test('an import of a file outside of the package', async () => {
    write('packages/platform/src/a.ts', 'export const a = 1;\n');
    write('packages/core/src/a.ts', "import '../../platform/src/a.ts';\n");
    const { code, output } = await run('turbo', ['boundaries']);
    expect(output).toContain('leaves the package');
    expect(code).toBe(1);
  });

  test('nothing about the workspace as it is', async () => {
    expect(await run('turbo', ['boundaries'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('no issues found'),
    });
  });
});

test("an app's only door is ./service, and the launcher and what it does not run have none", async () => {
  const launcher = JSON.parse(readFileSync('apps/gateway/package.json', 'utf8')) as { dependencies: object };
  const doors = globSync('apps/*/package.json').map((file) => {
    const { name, exports } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; exports: object };
    return [name, Object.keys(exports)] as const;
  });
  expect(doors.length).toBeGreaterThan(0);
  for (const [name, exported] of doors)
    expect([name, exported]).toEqual([name, Object.hasOwn(launcher.dependencies, name) ? ['./service'] : []]);

  const source = `for (const path of ['service', 'config', 'src/service.ts']) {
    try { console.log(path, import.meta.resolve('@portcullis/notifier/' + path) !== ''); }
    catch (error) { console.log(path, error.code); }
  }`;
  root = 'apps/gateway';
  expect((await run('node', ['--input-type=module', '--eval', source])).output.trim().split('\n')).toEqual([
    'service true',
    'config ERR_PACKAGE_PATH_NOT_EXPORTED',
    'src/service.ts ERR_PACKAGE_PATH_NOT_EXPORTED',
  ]);
});
