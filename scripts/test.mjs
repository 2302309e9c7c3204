import { runJest } from './run-jest.mjs';
import { abortOnSignal, checks, runSteps, seconds } from './steps.mjs';
import { openTestServices } from './test-services.mjs';

// `npm test`: all checks, then all tests over real servers. With parameters, as in
// `npm test -- packages/core --watch`, only the tests, and jest gets the parameters.

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
