import { afterEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

interface Workspace {
  readonly root: string;
  readonly path: string;
  /** How often the package manager was called. */
  readonly installs: () => number;
}

/**
 * A small workspace around the real bootstrap, with a package manager that only puts Node in place
 * and writes down that it was called.
 */
function createWorkspace(installScript = ''): Workspace {
  const root = mkdtempSync(join(tmpdir(), 'portcullis-bootstrap-'));
  folders.push(root);
  mkdirSync(join(root, 'scripts'));
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'packages/core'), { recursive: true });
  for (const script of ['bootstrap.mjs', 'install.mjs', 'run-pinned.mjs'])
    cpSync(join('scripts', script), join(root, 'scripts', script));
  for (const file of ['package.json', 'packages/core/package.json', 'pnpm-lock.yaml'])
    writeFileSync(join(root, file), '{}');
  writeFileSync(
    join(root, 'bin/npx'),
    `#!/bin/sh
echo "$@" >> "${root}/installs"
${installScript}
mkdir -p node_modules/node/bin
ln -sf "${process.execPath}" node_modules/node/bin/node
`,
    { mode: 0o755 },
  );
  const calls = join(root, 'installs');
  const installs = () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').length : 0);
  return { root, path: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`, installs };
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const bootstrap = (workspace: Workspace, parameters: string[], cwd = '/') =>
  run(workspace, process.execPath, [join(workspace.root, 'scripts/bootstrap.mjs'), ...parameters], cwd);

function run({ path }: Workspace, program: string, parameters: string[], cwd: string) {
  const child = spawn(program, parameters, { cwd, env: { ...process.env, PATH: path, NODE_OPTIONS: '' } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));

  const ended = new Promise<Run>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  /** Resolves when the text was printed on either stream. */
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (`${stdout}${stderr}`.includes(text)) resolve();
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      look();
    });
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), said, ended };
}

const script = (workspace: { root: string }, source: string) =>
  writeFileSync(join(workspace.root, 'scripts/check.mjs'), source);

describe('the bootstrap', () => {
  test('installs once, then only when the lock file or a package.json has changed', async () => {
    const workspace = createWorkspace();
    script(workspace, 'console.log("ran");');

    expect(await bootstrap(workspace, ['check']).ended).toEqual({
      code: 0,
      stdout: 'ran\n',
      stderr: expect.stringContaining('Installing the dependencies of development'),
    });
    expect(readFileSync(join(workspace.root, 'installs'), 'utf8')).toMatch(
      /^--yes pnpm@[\d.]+ install --frozen-lockfile$/m,
    );

    expect((await bootstrap(workspace, ['check']).ended).stderr).toBe('');
    expect(workspace.installs()).toBe(1);

    writeFileSync(join(workspace.root, 'packages/core/package.json'), '{"version":"2"}');
    await bootstrap(workspace, ['check']).ended;
    expect(workspace.installs()).toBe(2);

    writeFileSync(join(workspace.root, 'pnpm-lock.yaml'), 'changed');
    await bootstrap(workspace, ['check']).ended;
    expect(workspace.installs()).toBe(3);
  });

  test('installs for a user what running needs, adds the rest for a developer and never takes it away', async () => {
    const workspace = createWorkspace();
    script(workspace, '');
    mkdirSync(join(workspace.root, 'apps/gateway/src'), { recursive: true });
    writeFileSync(join(workspace.root, 'apps/gateway/src/main.ts'), '');
    const kinds = async (command: string) => {
      expect((await bootstrap(workspace, [command]).ended).code).toBe(0);
      const calls = readFileSync(join(workspace.root, 'installs'), 'utf8').trim().split('\n');
      return calls.map((call) => (call.endsWith(' --prod') ? 'production' : 'development'));
    };

    expect(await kinds('start')).toEqual(['production']);
    expect(await kinds('start')).toEqual(['production']);
    expect(await kinds('check')).toEqual(['production', 'development']);
    expect(await kinds('start')).toEqual(['production', 'development']);

    writeFileSync(join(workspace.root, 'pnpm-lock.yaml'), 'changed');
    expect(await kinds('start')).toEqual(['production', 'development', 'development']);
  });

  test('installs once when two start at the same time', async () => {
    // The first installation goes on until the second process says that it waits.
    const workspace = createWorkspace('until [ -e waiting ]; do sleep 0.02; done');
    script(workspace, '');

    const both = [bootstrap(workspace, ['check']), bootstrap(workspace, ['check'])];
    await Promise.race(both.map(({ said }) => said('waiting for it')));
    writeFileSync(join(workspace.root, 'waiting'), '');
    const runs = await Promise.all(both.map(({ ended }) => ended));

    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(workspace.installs()).toBe(1);
  });

  test('takes over the lock of an installation that was killed', async () => {
    const workspace = createWorkspace();
    script(workspace, '');
    mkdirSync(join(workspace.root, 'node_modules'));
    const gone = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => gone.once('exit', resolve));
    writeFileSync(join(workspace.root, 'node_modules/.portcullis-install.lock'), String(gone.pid));

    expect((await bootstrap(workspace, ['check']).ended).code).toBe(0);
    expect(workspace.installs()).toBe(1);
  });

  test('shows what the package manager said when it fails, and does not take that for installed', async () => {
    const workspace = createWorkspace('echo "no such version"; exit 3');
    script(workspace, '');

    for (const attempt of [1, 2]) {
      const run = await bootstrap(workspace, ['check']).ended;
      expect(run.code).toBe(1);
      expect(run.stderr).toContain('no such version');
      expect(workspace.installs()).toBe(attempt);
    }
  });

  test('says so when the installed Node does not run on this machine', async () => {
    const workspace = createWorkspace();
    writeFileSync(
      join(workspace.root, 'bin/npx'),
      `#!/bin/sh
mkdir -p node_modules/node/bin
printf '#!/bin/sh\\necho some library is not there >&2; exit 127' > node_modules/node/bin/node
chmod +x node_modules/node/bin/node
`,
    );
    const run = await bootstrap(workspace, ['check']).ended;
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('does not run on this machine: some library is not there');
  });

  test('hands on parameters, the exit code and the working directory of the repository', async () => {
    const workspace = createWorkspace();
    script(workspace, 'console.log(JSON.stringify([process.cwd(), process.argv.slice(2)])); process.exitCode = 7;');

    const run = await bootstrap(workspace, ['check', '--fast', 'a b'], tmpdir()).ended;
    expect(run.code).toBe(7);
    expect(JSON.parse(run.stdout)).toEqual([workspace.root, ['--fast', 'a b']]);
  });

  test('hands on signals', async () => {
    const workspace = createWorkspace();
    script(
      workspace,
      `process.on('SIGTERM', () => { console.log('draining'); clearInterval(timer); });
       const timer = setInterval(() => undefined, 1000);
       console.log('up');`,
    );

    const run = bootstrap(workspace, ['check']);
    await run.said('up');
    run.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 0, stdout: 'up\ndraining\n' });
  });

  test('ends with 0 when npm is told to stop, as it does for a supervisor', async () => {
    const workspace = createWorkspace();
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    writeFileSync(join(workspace.root, 'package.json'), JSON.stringify({ scripts }));
    script(
      workspace,
      `process.once('SIGTERM', () => clearInterval(timer));
       const timer = setInterval(() => undefined, 1000);
       console.log('up');`,
    );

    const npm = run(workspace, 'npm', ['run', '--silent', 'check'], workspace.root);
    await npm.said('up');
    npm.kill('SIGTERM');
    expect(await npm.ended).toMatchObject({ code: 0, stdout: 'up\n' });
  });

  test('reads .env for npm start, when there is one', async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.root, 'apps/gateway/src'), { recursive: true });
    writeFileSync(join(workspace.root, 'apps/gateway/src/main.ts'), 'console.log(process.env.FROM_FILE);');
    expect((await bootstrap(workspace, ['start']).ended).stdout).toBe('undefined\n');
    writeFileSync(join(workspace.root, '.env'), 'FROM_FILE=hello\n');
    expect(await bootstrap(workspace, ['start']).ended).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  });

  test.each([[[]], [['fly']]])('explains itself when called with %j', async (parameters) => {
    const workspace = createWorkspace();
    const run = await bootstrap(workspace, parameters).ended;
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('npm run start');
    expect(workspace.installs()).toBe(0);
  });
});
