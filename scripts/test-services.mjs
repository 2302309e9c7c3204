import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, findOrThrow, installMissing, postgresql, redis } from './find-servers.mjs';

/**
 * PostgreSQL and Redis for the tests.
 * @typedef {{ environment: { TEST_DATABASE_URL: string, TEST_REDIS_URL: string } } & AsyncDisposable} TestServices
 */

const startDeadlineMs = 60_000;
const stopDeadlineMs = 10_000;
const isRoot = process.getuid?.() === 0;

/**
 * Gives the tests real servers: those of TEST_DATABASE_URL and TEST_REDIS_URL, else programs found on
 * this machine, started on free ports over a temporary folder, else Debian's packages installed first.
 * Disposing stops what was started and removes the folder.
 * @param {(line: string) => void} say
 * @returns {Promise<TestServices>}
 * @throws {Error} that says what to do when there is no way to have them
 */
export async function openTestServices(say) {
  await using opened = new AsyncDisposableStack();
  installBrowser(say);
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  const environment = {
    TEST_DATABASE_URL: TEST_DATABASE_URL ? await given('TEST_DATABASE_URL', TEST_DATABASE_URL) : '',
    TEST_REDIS_URL: TEST_REDIS_URL ? await given('TEST_REDIS_URL', TEST_REDIS_URL) : '',
  };
  if (!TEST_DATABASE_URL || !TEST_REDIS_URL) {
    installMissing([...(TEST_DATABASE_URL ? [] : [postgresql]), ...(TEST_REDIS_URL ? [] : [redis])], say);
    const folder = opened.adopt(mkdtempSync(join(tmpdir(), 'portcullis-services-')), (path) =>
      rmSync(path, { recursive: true, force: true }),
    );
    if (!TEST_DATABASE_URL) environment.TEST_DATABASE_URL = await startPostgresql(folder, opened);
    if (!TEST_REDIS_URL) environment.TEST_REDIS_URL = await startRedis(folder, opened);
  }
  const resources = opened.move();
  return { environment, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** @param {(line: string) => void} say */
function installBrowser(say) {
  try {
    installMissing([chromium], say);
  } catch {
    say('No Chromium on this machine, and it cannot be installed here: the tests of the console are left out.');
  }
}

/** @param {string} name @param {string} value */
async function given(name, value) {
  const { hostname, port } = new URL(value);
  const reached = await canConnect(Number(port) || (name === 'TEST_REDIS_URL' ? 6379 : 5432), hostname);
  if (!reached) throw new Error(`${name} is set, but nothing listens on ${hostname}:${port}`);
  return value;
}

/** @param {string} folder @param {AsyncDisposableStack} opened */
async function startPostgresql(folder, opened) {
  const programs = findOrThrow(postgresql);
  const data = join(folder, 'postgresql');
  const identity = unprivilegedIdentity();
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);

  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initdb, { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });

  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '300',
    // The data lives only as long as the tests.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  };
  const parameters = ['-D', data, '-p', String(port)];
  for (const [name, value] of Object.entries(settings)) parameters.push('-c', `${name}=${value}`);
  // SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
  await startServer('PostgreSQL', join(programs, 'postgres'), parameters, {
    spawnOptions: { ...identity, cwd: folder },
    stopSignal: 'SIGINT',
    opened,
    isUp: (output) => output.includes('database system is ready to accept connections'),
  });
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

/** @param {string} folder @param {AsyncDisposableStack} opened */
async function startRedis(folder, opened) {
  const port = await freePort();
  const parameters = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  await startServer('Redis', join(findOrThrow(redis), 'redis-server'), parameters, {
    spawnOptions: { cwd: folder },
    stopSignal: 'SIGTERM',
    opened,
    isUp: (output) => output.includes('Ready to accept connections'),
  });
  return `redis://127.0.0.1:${port}`;
}

/**
 * Starts a server in a process group of its own, so that a Ctrl-C reaches us and not it: it is stopped
 * when the tests that use it have ended.
 * @param {string} name
 * @param {string} program
 * @param {string[]} parameters
 * @param {{ spawnOptions: object, stopSignal: NodeJS.Signals, opened: AsyncDisposableStack, isUp: (output: string) => boolean }} options
 */
async function startServer(name, program, parameters, { spawnOptions, stopSignal, opened, isUp }) {
  const child = spawn(program, parameters, { ...spawnOptions, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (/** @type {Buffer} */ chunk) => (output = (output + chunk.toString()).slice(-10_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`ended with ${code ?? signal}`));
  });
  // For a crash of this process, which disposes nothing.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  opened.defer(async () => {
    child.kill(stopSignal);
    const killer = setTimeout(kill, stopDeadlineMs);
    await ended;
    clearTimeout(killer);
    process.off('exit', kill);
  });

  const failed = ended.then((reason) => new Error(`${name} did not start: ${reason}\n${output}`));
  const deadline = Date.now() + startDeadlineMs;
  while (!isUp(output)) {
    const failure = await Promise.race([failed, pause(20)]);
    if (failure instanceof Error) throw failure;
    if (Date.now() > deadline) throw new Error(`${name} did not start within a minute\n${output}`);
  }
}

/** PostgreSQL refuses to run as root. */
function unprivilegedIdentity() {
  if (!isRoot) return undefined;
  const user = ['postgres', 'nobody'].find(hasUser);
  if (user === undefined) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
  return { uid: numericId('-u', user), gid: numericId('-g', user) };
}

const numericId = (/** @type {string} */ kind, /** @type {string} */ user) =>
  Number(execFileSync('id', [kind, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

function hasUser(/** @type {string} */ user) {
  try {
    return Number.isInteger(numericId('-u', user));
  } catch {
    return false;
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** @param {number} port @param {string} host @returns {Promise<boolean>} */
function canConnect(port, host) {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 5_000 });
    const finish = (/** @type {boolean} */ reached) => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
  });
}

if (import.meta.main) {
  // By hand: prints what to export and keeps the servers until Ctrl-C.
  await using services = await openTestServices((line) => console.error(line));
  // Listening for the end before telling that it runs, or a quick caller ends it the hard way.
  const ended = new Promise((resolve) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, resolve)));
  const timer = setInterval(() => undefined, 60_000);
  for (const [name, value] of Object.entries(services.environment)) console.log(`export ${name}=${value}`);
  await ended;
  clearInterval(timer);
}
