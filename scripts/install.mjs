import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// Runs on the machine's own Node, before anything is installed: no dependencies, nothing newer than Node 18.

export const pnpmVersion = '12.21.0';
const waitForOtherMs = 10 * 60_000;
const windows = process.platform === 'win32';

/** The Node that every command runs on, installed like any other dependency. */
export const pinnedNode = (/** @type {string} */ root) =>
  join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

const stampFile = (/** @type {string} */ root) => join(root, 'node_modules', '.portcullis-install');

/** A hash of everything that decides what belongs into node_modules. */
export function dependencyStamp(/** @type {string} */ root) {
  const hash = createHash('sha256').update(`${pnpmVersion} ${process.platform} ${process.arch}\n`);
  for (const file of manifests(root)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function manifests(/** @type {string} */ root) {
  const folders = ['apps', 'packages'].flatMap((group) => childFolders(root, group));
  return [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.pnpmfile.cjs',
    'scripts/link-node.mjs',
    'package.json',
    ...[...folders, 'bench'].map((folder) => `${folder}/package.json`),
  ]
    .filter((file) => existsSync(join(root, file)))
    .sort();
}

function childFolders(/** @type {string} */ root, /** @type {string} */ group) {
  const folder = join(root, group);
  return existsSync(folder) ? readdirSync(folder).map((name) => `${group}/${name}`) : [];
}

/**
 * What is installed: all that developing needs, or only what running needs.
 * @typedef {'development' | 'production'} Extent
 */

const productionMark = ' production';

/** @returns {{ hash: string, extent: Extent } | undefined} */
function readStamp(/** @type {string} */ root) {
  if (!existsSync(pinnedNode(root)) || !existsSync(stampFile(root))) return undefined;
  const stamp = readFileSync(stampFile(root), 'utf8');
  return { hash: stamp.split(' ', 1)[0] ?? '', extent: stamp.endsWith(productionMark) ? 'production' : 'development' };
}

/** @param {string} root @param {Extent} wanted */
function isInstalled(root, wanted) {
  const stamp = readStamp(root);
  return stamp?.hash === dependencyStamp(root) && (stamp.extent === 'development' || wanted === 'production');
}

/**
 * Installs the dependencies when they are absent or not the ones the lock file asks for. What a development needs is
 * never taken away again. Of several processes that start at once one installs and the others wait for it.
 * @param {string} root
 * @param {(line: string) => void} say
 * @param {Extent} wanted
 */
export async function ensureInstalled(root, say, wanted = 'development') {
  if (isInstalled(root, wanted)) return;
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  const release = await lock(join(root, 'node_modules', '.portcullis-install.lock'), say);
  try {
    if (isInstalled(root, wanted)) return;
    const extent = readStamp(root)?.extent === 'development' ? 'development' : wanted;
    say(
      extent === 'production'
        ? 'Installing what the gateway needs to run ...'
        : 'Installing the dependencies of development (a minute the first time) ...',
    );
    const hash = dependencyStamp(root);
    await runPnpmInstall(root, extent);
    ensureNodeRuns(root, say);
    writeFileSync(stampFile(root), extent === 'production' ? hash + productionMark : hash);
  } finally {
    release();
  }
}

/** Quiet unless it fails: then everything the package manager said is in the error. */
async function runPnpmInstall(/** @type {string} */ root, /** @type {Extent} */ extent) {
  // Asking the registry how old each entry of the lock file is takes longer than installing: a development does.
  const only = extent === 'production' ? ['--trust-lockfile', '--prod'] : [];
  const command = ['--yes', `pnpm@${pnpmVersion}`, 'install', '--frozen-lockfile', ...only];
  // CI keeps pnpm from asking questions, NODE_ENV=production would leave out what a development needs.
  const env = { ...process.env, CI: 'true', NODE_ENV: 'development' };
  const child = spawn('npx', command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], shell: windows });

  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const failure = await new Promise((resolve) => {
    child.once('error', (error) => resolve(`npx could not be started (${error.message}); it comes with Node.js`));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`));
  });
  if (failure !== undefined) {
    throw new Error(`Installing the dependencies failed: ${failure}\n$ npx ${command.join(' ')}\n${output.trim()}`);
  }
}

/**
 * Node's Linux builds want a library that slim systems leave out.
 * @param {string} root
 * @param {(line: string) => void} say
 */
function ensureNodeRuns(root, say) {
  let problem = findNodeProblem(root);
  if (problem?.includes('libatomic') && process.getuid?.() === 0) {
    say('Installing libatomic1, which Node needs, with apt-get ...');
    spawnSync('apt-get', ['-qq', 'update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['-qq', 'install', '--yes', 'libatomic1'], { stdio: 'ignore' });
    problem = findNodeProblem(root);
  }
  if (problem === undefined) return;
  throw new Error(`The Node of this project does not run on this machine: ${problem}
If a library is missing, install it; on Debian it is mostly "apt-get install libatomic1".`);
}

function findNodeProblem(/** @type {string} */ root) {
  if (!existsSync(pinnedNode(root)))
    return `none of the dependencies is the Node of ${process.platform}-${process.arch}`;
  const { status, stderr, error } = spawnSync(pinnedNode(root), ['--version'], { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/**
 * Holds `file` as a lock until the answer is called. A lock whose process is gone is taken over.
 * @param {string} file
 * @param {(line: string) => void} say
 */
async function lock(file, say) {
  const deadline = Date.now() + waitForOtherMs;
  for (let told = false; !tryLock(file); told = true) {
    if (!told) say('Another process is installing the dependencies; waiting for it ...');
    if (Date.now() > deadline)
      throw new Error(`Gave up waiting for another installation; if there is none, remove ${file}`);
    await pause(100);
  }
  return () => rmSync(file, { force: true });
}

function tryLock(/** @type {string} */ file) {
  const own = `${file}.${process.pid}`;
  // Linked rather than created, so that the lock is never seen without its owner's pid in it.
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch {
    removeStaleLock(file);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function removeStaleLock(/** @type {string} */ file) {
  const owner = readOwner(file);
  if (owner === undefined || isAlive(owner)) return;
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    // Another process may have taken the lock over since it was read: then this was theirs.
    if (readOwner(aside) !== owner) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch {
    // A faster process holds the lock; the next attempt sees it.
  }
}

function readOwner(/** @type {string} */ file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
