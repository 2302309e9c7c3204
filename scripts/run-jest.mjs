import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './steps.mjs';

/**
 * What jest found out about one test file; it gives more, nothing else is used here.
 * @typedef {{ status: string, assertionResults: { status: string }[] }} FileResult
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {import('./test-profile.mjs').Profile} Profile
 */

/**
 * Runs jest, whose own output goes to the terminal, and counts the tests.
 * @param {string[]} parameters
 * @param {Record<string, string>} environment
 * @param {AbortSignal} signal
 * @returns {Promise<Counts & { profile: Profile }>} `profile`: what each file took
 */
export async function runJest(parameters, environment, signal) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-jest-'));
  const results = join(folder, 'results.json');
  const profiles = join(folder, 'profiles.jsonl');
  try {
    const variables = { ...environment, TEST_PROFILES_FILE: profiles };
    const code = await start([...parameters, '--json', `--outputFile=${results}`], variables, signal);
    return { ...count(readResults(results), code), profile: readProfile(profiles) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} parameters
 * @param {Record<string, string>} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number | null>} the exit code
 */
function start(parameters, environment, signal) {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [jest, ...parameters], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['inherit', 'ignore', 'inherit'],
    signal,
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
}

/**
 * None, when jest ended before it wrote any.
 * @returns {FileResult[]}
 */
function readResults(/** @type {string} */ file) {
  try {
    /** @type {{ testResults: FileResult[] }} */
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
    return testResults;
  } catch {
    return [];
  }
}

/** @returns {Profile} */
function readProfile(/** @type {string} */ file) {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ file: name, ...profile }) => [name, profile]));
}

/**
 * A file that failed before its tests ran counts as one failure, and so does a run that failed for
 * another reason than a test or had none, so it never looks green.
 * @param {FileResult[]} files
 * @param {number | null} code
 * @returns {Counts}
 */
function count(files, code) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults: tests } of files) {
    const failed = tests.filter(({ status }) => status === 'failed').length;
    const passed = tests.filter(({ status }) => status === 'passed').length;
    counts.passed += passed;
    counts.failed += status === 'failed' ? Math.max(failed, 1) : 0;
    counts.skipped += tests.length - passed - failed;
  }
  const other = counts.failed === 0 && (code !== 0 || counts.passed === 0) ? 1 : 0;
  return { ...counts, failed: counts.failed + other };
}
