import { abortOnSignal, checks, runSteps } from './steps.mjs';

// `npm run check`: what can be said without servers, in seconds.

const { passed, failed } = await runSteps(checks, abortOnSignal());
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed === checks.length ? 0 : 1;
