import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

export const root = dirname(import.meta.dirname);

/**
 * One check of the project: passes when its command ends with 0.
 * @typedef {{ name: string, command: string[] }} Step
 */

const program = (/** @type {string} */ name) => join(root, 'node_modules', '.bin', name);

/**
 * Everything that is checked without servers, quickest answer first.
 * @type {readonly Step[]}
 */
export const checks = [
  { name: 'format', command: [program('oxfmt'), '--check'] },
  { name: 'lint', command: [program('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'types', command: [program('tsc'), '--project', 'tsconfig.json'] },
  { name: 'console types', command: [program('tsc'), '--project', 'apps/console/tsconfig.json'] },
  { name: 'boundaries', command: [program('turbo'), 'boundaries'] },
  { name: 'floors', command: [process.execPath, join('scripts', 'check-floors.ts')] },
  { name: 'unused code', command: [program('knip'), '--no-config-hints', '--no-progress'] },
  { name: 'patterns', command: [process.execPath, join('scripts', 'check-patterns.ts')] },
  { name: 'licences', command: [process.execPath, join('scripts', 'check-licences.mjs')] },
  { name: 'advisories', command: [process.execPath, join('scripts', 'check-advisories.mjs')] },
  { name: 'generated files', command: [process.execPath, join('scripts', 'generate.mjs'), '--check'] },
];

/**
 * Runs the steps one after the other and prints each with its duration, the output only of those
 * that fail or say first that they skipped something.
 * @param {readonly Step[]} steps
 * @param {AbortSignal} signal ends the step in hand and leaves out the others
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runSteps(steps, signal) {
  const counts = { passed: 0, failed: 0 };
  for (const { name, command } of steps) {
    if (signal.aborted) break;
    const startedAt = performance.now();
    const { code, output } = await run(command, signal);
    const passed = code === 0;
    counts[passed ? 'passed' : 'failed'] += 1;
    console.log(`${passed ? '✓' : '✗'} ${name.padEnd(16)} ${seconds(performance.now() - startedAt)}`);
    if (!passed || output.startsWith('skipped: ')) console.log(output.trimEnd());
  }
  return counts;
}

export const seconds = (/** @type {number} */ durationMs) => `${(durationMs / 1_000).toFixed(1)} s`;

/**
 * @param {string[]} command
 * @param {AbortSignal} signal
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run([file = '', ...parameters], signal) {
  // No tool of ours reports to its maker or asks the network for anything.
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NO_UPDATE_NOTIFIER: '1' };
  const child = spawn(file, parameters, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], signal });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Aborts at the first signal that asks this process to end. */
export function abortOnSignal() {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => controller.abort());
  return controller.signal;
}
