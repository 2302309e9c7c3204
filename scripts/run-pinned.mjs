import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pinnedNode } from './install.mjs';

// Runs on the machine's own Node, before anything is installed: no dependencies, nothing newer than Node 18.

const oldestNode = 18;

/** Why the machine's own Node cannot start anything here; undefined where it can. */
export const whyTooOld = () =>
  Number.parseInt(process.versions.node, 10) < oldestNode
    ? `Node ${oldestNode} or newer is needed to start; this is ${process.version}.`
    : undefined;

/**
 * Where what came of reading and compiling the sources is kept, which is most of a start. V8 throws away what was compiled
 * with other flags, and a process that serves sets some (`tune-engine.ts`): with one place for both, each start compiled
 * all anew and took what the other kind had kept.
 */
const compiled = (/** @type {string} */ root, /** @type {'services' | 'tools'} */ kind) =>
  join(root, 'node_modules', '.cache', 'compiled', kind);

/**
 * For a process that serves: freed memory goes back to the system from a megabyte on. The C library raises its own bound up
 * to 64 MB after large pieces, so that what starting and compiling took would stay. It asks the environment, and
 * only when a process begins.
 */
export const allocator = { MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_MMAP_THRESHOLD_: '1048576' };

/**
 * Runs the pinned Node of the repository in `root` and hands signals on; resolves with the exit code.
 * @param {string} root
 * @param {string} cwd
 * @param {readonly string[]} parameters
 * @param {'services' | 'tools'} kind
 * @returns {Promise<number>}
 */
export function runPinned(root, cwd, parameters, kind = 'tools') {
  const node = pinnedNode(root);
  const env = {
    NODE_COMPILE_CACHE: compiled(root, kind),
    ...(kind === 'services' ? allocator : {}),
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
  };
  const child = spawn(node, parameters, { cwd, env, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));

  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`The pinned Node could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
