import { processorMsOf } from './processor-time.mjs';
import { runJest } from './run-jest.mjs';
import { abortOnSignal, checks, runSteps, seconds } from './steps.mjs';
import { keepTimes, readKeptTimes, renderDearest, renderProfile } from './test-profile.mjs';
import { openTestServices } from './test-services.mjs';

// `npm test`: all checks, then all tests over real servers. With parameters, as in
// `npm test -- packages/core --watch`, only the tests, and jest gets the parameters. Its own ones:
//   --full          also what stays long by nature: nightly files and every row of the matrices
//   --profile       a table of what each file took; --profile=keep keeps the times in scripts/test-profile.json

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const own = new Set(['--full', '--profile', '--profile=keep']);
const given = process.argv.slice(2);
const parameters = given.filter((parameter) => !own.has(parameter));
const full = given.includes('--full');

/** @returns {Promise<Counts & { profile: import('./test-profile.mjs').Profile }>} */
async function runTests(/** @type {AbortSignal} */ signal) {
  const nothing = { passed: 0, failed: 1, skipped: 0, profile: {} };
  const startedAt = performance.now();
  try {
    await using services = await openTestServices((line) => console.log(line));
    console.log(`✓ ${'servers'.padEnd(16)} ${seconds(performance.now() - startedAt)}`);
    if (signal.aborted) return nothing;
    if (!full) return await runJest(parameters, services.environment, signal);
    const everything = [...parameters, '--testPathIgnorePatterns', '/node_modules/'];
    return await runJest(everything, { ...services.environment, TEST_MATRIX: 'full' }, signal);
  } catch (error) {
    console.log(`✗ servers\n${error instanceof Error ? error.message : String(error)}`);
    return nothing;
  }
}

const startedAt = performance.now();
const signal = abortOnSignal();
const whole = parameters.length === 0;
const checked = await runSteps(whole ? checks : [], signal);
const tested = signal.aborted ? { passed: 0, failed: 1, skipped: 0, profile: {} } : await runTests(signal);

if (given.some((parameter) => parameter.startsWith('--profile'))) console.log(renderProfile(tested.profile).join('\n'));
if (whole) {
  const minutes = (/** @type {number} */ ms) => (ms / 60_000).toFixed(1);
  const took = `${minutes(performance.now() - startedAt)} minutes, ${minutes(processorMsOf('self'))} core minutes`;
  console.log([`\n${took}; the dearest files:`, ...renderDearest(tested.profile, readKeptTimes())].join('\n'));
}
if (given.includes('--profile=keep')) keepTimes(tested.profile);

const passed = checked.passed + tested.passed;
const failed = checked.failed + tested.failed;
console.log(`\n${passed} passed, ${failed} failed${tested.skipped > 0 ? `, ${tested.skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
