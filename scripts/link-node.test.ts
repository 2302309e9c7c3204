import { afterEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const nodePackage = `node-${process.platform}-${process.arch}`;
const scripts = ['link-node.mjs', 'portcullis.mjs', 'install.mjs', 'run-pinned.mjs'];

/** A checkout with nothing installed, whose command ends with 7. */
function createCheckout(): string {
  const root = mkdtempSync(join(tmpdir(), 'portcullis-fresh-'));
  folders.push(root);
  for (const folder of ['scripts', 'docs', 'home', 'bin', 'apps/cli/src'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [...scripts.map((script) => `scripts/${script}`), 'package.json']) cpSync(file, join(root, file));
  writeFileSync(join(root, 'pnpm-lock.yaml'), '{}');
  writeFileSync(join(root, 'apps/cli/src/main.ts'), 'console.log("ran"); process.exitCode = 7;');
  return root;
}

/** The package manager, which the command calls by npx: it only puts Node in place, or does what is given. */
function replaceInstaller(root: string, script?: string): void {
  const install = `mkdir -p node_modules/${nodePackage}/bin
ln -s "${process.execPath}" node_modules/${nodePackage}/bin/node
node scripts/link-node.mjs`;
  writeFileSync(join(root, 'bin/npx'), `#!/bin/sh\n${script ?? install}\n`, { mode: 0o755 });
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(root: string, program: string, parameters: readonly string[], cwd = root): Promise<Ran> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_)/i.test(name));
  const path = `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  const env = { ...Object.fromEntries(own), HOME: join(root, 'home'), PATH: path };
  return new Promise((resolve) => {
    execFile(program, parameters, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const link = (root: string) => run(root, process.execPath, [join(root, 'scripts/link-node.mjs')]);
const quietly = { code: 0, stdout: '', stderr: '' };

describe('what runs after an installation', () => {
  test('does nothing and is quiet where nothing is installed', async () => {
    const root = createCheckout();
    expect(await link(root)).toEqual(quietly);
    expect(existsSync(join(root, 'node_modules'))).toBe(false);
  });

  test('ends well while another process installs, when Node is not there yet', async () => {
    const root = createCheckout();
    mkdirSync(join(root, 'node_modules'));
    expect(await link(root)).toEqual(quietly);
    expect(readdirSync(join(root, 'node_modules'))).toEqual(['.bin']);
  });

  test.each([
    ['nothing', () => undefined],
    ['a link to elsewhere', (place: string) => symlinkSync('gone', place)],
    ['a folder', (place: string) => mkdirSync(join(place, 'bin'), { recursive: true })],
  ])('puts the links where %s is, also when several do at once, and leaves nothing else', async (_what, prepare) => {
    const root = createCheckout();
    const modules = join(root, 'node_modules');
    mkdirSync(join(modules, nodePackage), { recursive: true });
    prepare(join(modules, 'node'));
    expect(await link(root)).toEqual(quietly);
    rmSync(join(modules, '.bin'), { recursive: true });
    expect(await Promise.all([link(root), link(root), link(root)])).toEqual([quietly, quietly, quietly]);
    expect(readlinkSync(join(modules, 'node'))).toBe(nodePackage);
    expect(readlinkSync(join(modules, '.bin/portcullis'))).toBe('../../scripts/portcullis.mjs');
    expect([readdirSync(modules).sort(), readdirSync(join(modules, '.bin'))]).toEqual([
      ['.bin', 'node', nodePackage],
      ['portcullis'],
    ]);
  });

  test('says what it could not link, and ends well all the same', async () => {
    const root = createCheckout();
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules/.bin'), 'no folder');
    expect(await link(root)).toEqual({ ...quietly, stderr: expect.stringMatching(/^Not linked: EEXIST.*\n$/) });
  });
});

describe('the command in a checkout with nothing installed', () => {
  test.each(['.', 'docs'])('runs by its file from %s', async (folder) => {
    const root = createCheckout();
    replaceInstaller(root);
    const command = [join(root, 'scripts/portcullis.mjs')];
    const first = await run(root, process.execPath, command, join(root, folder));
    expect(first).toEqual({ code: 7, stdout: 'ran\n', stderr: 'Installing what the gateway needs to run ...\n' });
    expect((await run(root, process.execPath, command, join(root, folder))).stderr).toBe('');
  });

  test('says why it cannot, with a code that no verdict has', async () => {
    const root = createCheckout();
    replaceInstaller(root, 'echo "no such host"; exit 1');
    const { code, stdout, stderr } = await run(root, process.execPath, [join(root, 'scripts/portcullis.mjs')]);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^Installing the dependencies failed: it ended with 1\n.*\nno such host$/m);
  });

  test('says so where no dependency is the Node of this machine', async () => {
    const root = createCheckout();
    replaceInstaller(root, 'mkdir -p node_modules');
    const { code, stderr } = await run(root, process.execPath, [join(root, 'scripts/portcullis.mjs')]);
    expect(code).toBe(4);
    expect(stderr).toContain(`none of the dependencies is the Node of ${process.platform}-${process.arch}`);
  });

  test.each(['.', 'docs'])('runs by npx from %s, asks no registry for its name, and does so again', async (folder) => {
    const root = createCheckout();
    replaceInstaller(root);
    // npm's own npx is asked, whose child finds the replaced one.
    const exec = ['exec', '--offline', '--', 'portcullis'];
    for (const _time of [1, 2]) {
      const { code, stdout } = await run(root, 'npm', exec, join(root, folder));
      expect({ code, stdout }).toEqual({ code: 7, stdout: 'ran\n' });
    }
  });
});
