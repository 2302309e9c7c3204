import { parentPort } from 'node:worker_threads';
import type { PolicyAnswer, PolicyQuestion } from './policy-checker.ts';
import { policyChecks } from './policy-checks.ts';

parentPort?.on('message', ({ check, input }: PolicyQuestion) => {
  const run = policyChecks[check] as (input: unknown) => unknown;
  parentPort?.postMessage({ answer: run(input) } satisfies PolicyAnswer);
});

parentPort?.postMessage('ready');
