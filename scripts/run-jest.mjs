import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from './steps.mjs';

/**
 * What jest found out about one test file; it gives more, nothing else is used here.
 * @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} FileResult
 * @typedef {{ files: Map<string, FileResult>, code: number | null }} Run
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/** More failed files than this are broken, not unlucky. */
const mostRepeated = 3;

/**
 * Runs jest, whose own output goes to the terminal. With `repeat`, a few failed files run once more with the
 * machine to themselves, and count as they end then: tests of whole gateways on a busy machine meet its pauses.
 * The first failure stays in the output, and a line names each file that needed its second try: its race is to be mended.
 * @param {string[]} parameters
 * @param {Record<string, string>} environment
 * @param {AbortSignal} signal
 * @param {{ repeat?: boolean }} [options]
 * @returns {Promise<Counts>}
 */
export async function runJest(parameters, environment, signal, { repeat = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-jest-'));
  const run = (/** @type {string[]} */ more) => runOnce([...parameters, ...more], environment, signal, folder);
  try {
    const first = await run([]);
    const failed = [...first.files.values()].filter(hasFailed).map(({ name }) => name);
    if (!repeat || signal.aborted || failed.length === 0 || failed.length > mostRepeated) return count(first);
    console.log(`\nOnce more, by themselves:`);
    const second = await run(['--runInBand', '--runTestsByPath', ...failed]);
    for (const [name, file] of second.files) {
      first.files.set(name, file);
      if (!hasFailed(file)) console.log(`! ${relative(root, name)} passed only at its second try`);
    }
    return count({ ...first, code: second.code });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hasFailed = (/** @type {FileResult} */ { status }) => status === 'failed';

/**
 * @param {string[]} parameters
 * @param {Record<string, string>} environment
 * @param {AbortSignal} signal
 * @param {string} folder
 * @returns {Promise<Run>}
 */
async function runOnce(parameters, environment, signal, folder) {
  const results = join(folder, 'results.json');
  rmSync(results, { force: true });
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--json',
    `--outputFile=${results}`,
    ...parameters,
  ];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, jest, { cwd: root, env, stdio: ['inherit', 'ignore', 'inherit'], signal });
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  return { files: readResults(results), code };
}

/** None, when jest ended before it wrote any. */
function readResults(/** @type {string} */ file) {
  try {
    /** @type {{ testResults: FileResult[] }} */
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
    return new Map(testResults.map((result) => [result.name, result]));
  } catch {
    return new Map();
  }
}

/**
 * A file that failed before its tests ran counts as one failure, and so does a run that failed for
 * another reason than a test or had none, so it never looks green.
 * @param {Run} run
 * @returns {Counts}
 */
function count({ files, code }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of files.values()) {
    const tests = file.assertionResults;
    const failed = tests.filter(({ status }) => status === 'failed').length;
    const passed = tests.filter(({ status }) => status === 'passed').length;
    counts.passed += passed;
    counts.failed += hasFailed(file) ? Math.max(failed, 1) : 0;
    counts.skipped += tests.length - passed - failed;
  }
  const other = counts.failed === 0 && (code !== 0 || counts.passed === 0) ? 1 : 0;
  return { ...counts, failed: counts.failed + other };
}
