import { runJest } from './run-jest.mjs';
import { abortOnSignal, seconds } from './steps.mjs';

// `npm run test:quick`: the tests beside the sources, without those that need PostgreSQL, Redis or a whole gateway, and
// without whole data planes, scripts and the bench. Parameters go to jest.

const leftOut = [
  '/node_modules/',
  String.raw`\.(pg|e2e|nightly)\.test\.ts$`,
  '/apps/[^/]+/test/',
  '<rootDir>/(scripts|bench)/',
];
const parameters = [...process.argv.slice(2), '--testPathIgnorePatterns', ...leftOut];
const startedAt = performance.now();
const { passed, failed, skipped } = await runJest(parameters, {}, abortOnSignal());
console.log(
  `\n${seconds(performance.now() - startedAt)}\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = failed === 0 ? 0 : 1;
