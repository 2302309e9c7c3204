import { runJest } from './run-jest.mjs';
import { abortOnSignal } from './steps.mjs';

// `npm run test:quick`: the tests that need neither PostgreSQL nor Redis, and start no whole gateways. Parameters go to jest.

const needsServers = String.raw`\.(pg|e2e)\.test\.ts$`;
const parameters = [...process.argv.slice(2), '--testPathIgnorePatterns', '/node_modules/', needsServers];
const { passed, failed, skipped } = await runJest(parameters, {}, abortOnSignal());
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
