/**
 * A test file's suffix tells what it needs:
 *   .test.ts      nothing but the machine
 *   .pg.test.ts   PostgreSQL and Redis, given by TEST_DATABASE_URL and TEST_REDIS_URL (`npm test` brings both)
 *   .e2e.test.ts  the same, and starts whole gateways
 *   .nightly.test.ts  the same, but long by nature: `npm run test:full` alone has them, also with paths
 */
export default {
  rootDir: '.',
  roots: ['<rootDir>/apps', '<rootDir>/packages', '<rootDir>/scripts', '<rootDir>/bench'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', String.raw`\.nightly\.test\.ts$`],
  runner: '<rootDir>/scripts/test-runner.mjs',
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'node'],
  // Time decides nothing here: this bound only ends what hangs, on the slowest machine too.
  testTimeout: 300_000,
  // One more than the cores of a usual machine: half of the time a worker waits for the processes that it started.
  maxWorkers: 3,
  testSequencer: '<rootDir>/scripts/test-order.mjs',
};
