import { fileURLToPath } from 'node:url';
import { runMeasurement } from './run-measurement.ts';

const program = fileURLToPath(new URL('../../packages/core/test/measure-scan.ts', import.meta.url));

/** `npm run bench -- scan`: what reading a text by the built-in policies costs. Answers the exit code. */
export const measureScan = (resultsFolder: string): Promise<number> =>
  runMeasurement(
    { program, parameters: [], env: process.env, title: 'What a scan costs', file: 'scan.md' },
    resultsFolder,
  );
