import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abortOnSignal, checks, root, runSteps, seconds } from './steps.mjs';
import { openTestServices } from './test-services.mjs';

// `npm test`: all checks, then all tests over real servers. With parameters, as in
// `npm test -- packages/core --watch`, only the tests, and jest gets the parameters.

/**
 * Runs jest, whose own output goes to the terminal.
 * @param {string[]} parameters
 * @param {Record<string, string>} environment
 * @param {AbortSignal} signal
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
async function runJest(parameters, environment, signal) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-jest-'));
  const results = join(folder, 'results.json');
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--json',
    `--outputFile=${results}`,
    ...parameters,
  ];
  try {
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, jest, { cwd: root, env, stdio: ['inherit', 'ignore', 'inherit'], signal });
    const code = await new Promise((resolve) => {
      child.once('error', () => resolve(1));
      child.once('close', resolve);
    });
    return countResults(results, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run that fails for another reason than a test counts as one failure, so it never looks green. */
function countResults(/** @type {string} */ file, /** @type {number | null} */ code) {
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const other = failed === 0 && (code !== 0 || results.numPassedTests === 0) ? 1 : 0;
    return {
      passed: results.numPassedTests,
      failed: failed + other,
      skipped: results.numPendingTests + results.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function runTests(/** @type {string[]} */ parameters, /** @type {AbortSignal} */ signal) {
  const startedAt = performance.now();
  try {
    await using services = await openTestServices((line) => console.log(line));
    console.log(`✓ ${'servers'.padEnd(16)} ${seconds(performance.now() - startedAt)}`);
    if (signal.aborted) return { passed: 0, failed: 1, skipped: 0 };
    return await runJest(parameters, services.environment, signal);
  } catch (error) {
    console.log(`✗ servers\n${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const signal = abortOnSignal();
const parameters = process.argv.slice(2);
const checked = await runSteps(parameters.length === 0 ? checks : [], signal);
const tested = signal.aborted ? { passed: 0, failed: 1, skipped: 0 } : await runTests(parameters, signal);

const passed = checked.passed + tested.passed;
const failed = checked.failed + tested.failed;
console.log(`\n${passed} passed, ${failed} failed${tested.skipped > 0 ? `, ${tested.skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
