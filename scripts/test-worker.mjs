import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { startFileProfile } from './file-profile.mjs';
import { jest } from './test-globals.mjs';

// A process that runs test files, one after the other, as `test-runner.mjs` hands them out. Modules are imported by Node
// itself and stay loaded: what one file has read costs the next one nothing.

/**
 * @typedef {{ path: string, testNamePattern: string | undefined, testTimeoutMs: number }} Order
 * @typedef {Awaited<ReturnType<typeof run>>['testResults'][number]} TestOutcome
 * @typedef {import('./file-profile.mjs').FileProfile} FileProfile
 * @typedef {{ tests: Omit<TestOutcome, 'errorsDetailed' | 'retryReasonsDetailed'>[], unhandledErrors: string[], profile: FileProfile }} FileOutcome
 */

const globals = new URL('test-globals.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, format: 'module', shortCircuit: true } : next(specifier, context),
});

/** @type {ReturnType<typeof startFileProfile> | undefined} */
let profile;

addEventHandler((event) => {
  if (event.name === 'test_start') profile?.firstTest();
  if (event.name !== 'test_done') return;
  event.test.numPassingAsserts = jestExpect.getState().numPassingAsserts;
  event.test.errors.push(...jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error));
});

/** An error that nothing caught is that of the test under way, else of the file. */
function keep(/** @type {unknown} */ error) {
  const { currentlyRunningTest, unhandledErrors } = getState();
  (currentlyRunningTest?.errors ?? unhandledErrors).push(error);
}
process.on('uncaughtException', keep).on('unhandledRejection', keep);

/**
 * @param {Order} order
 * @returns {Promise<FileOutcome>}
 */
async function runFile({ path, testNamePattern, testTimeoutMs }) {
  const measured = startFileProfile();
  profile = measured;
  resetState();
  const state = getState();
  if (testNamePattern !== undefined) state.testNamePattern = new RegExp(testNamePattern, 'i');
  state.testTimeout = testTimeoutMs;
  try {
    await import(pathToFileURL(path).href);
    const { testResults, unhandledErrors } = await run();
    const tests = testResults.map(({ errorsDetailed: _errors, retryReasonsDetailed: _reasons, ...test }) => test);
    return { tests, unhandledErrors, profile: measured.end() };
  } finally {
    jest.restoreAllMocks();
    jest.useRealTimers();
  }
}

process.on('message', (/** @type {Order} */ order) => {
  void runFile(order)
    .then(
      (outcome) => ({ outcome }),
      (error) => ({ error: { message: String(error), stack: error instanceof Error ? error.stack : undefined } }),
    )
    .then((answer) => process.send?.({ ...answer, memoryBytes: process.memoryUsage.rss() }));
});
// The runner is gone: what the tests started goes with this process.
process.once('disconnect', () => process.exit(1));
