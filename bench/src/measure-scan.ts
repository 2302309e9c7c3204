import { fileURLToPath } from 'node:url';
import { runMeasurement } from './run-measurement.ts';

const programOf = (name: string, part = 'packages/core'): string =>
  fileURLToPath(new URL(`../../${part}/test/${name}.ts`, import.meta.url));

/** `npm run bench -- scan`: what reading a text by the built-in policies costs. Answers the exit code. */
export const measureScan = (resultsFolder: string): Promise<number> =>
  runMeasurement(
    {
      program: programOf('measure-scan'),
      parameters: [],
      env: process.env,
      title: 'What a scan costs',
      file: 'scan.md',
    },
    resultsFolder,
  );

/** `npm run bench -- steps [MiB] [name of a text]…`: the longest step of a scan of hostile texts. Answers the exit code. */
export const measureSteps = (parameters: readonly string[], resultsFolder: string): Promise<number> =>
  runMeasurement(
    {
      program: programOf('measure-steps'),
      parameters,
      env: process.env,
      title: 'The longest step of a scan',
      file: 'steps.md',
    },
    resultsFolder,
  );

/** `npm run bench -- stages [MiB] [name of a body]…`: how long each stage of a request keeps others waiting. Answers the exit code. */
export const measureStages = (parameters: readonly string[], resultsFolder: string): Promise<number> =>
  runMeasurement(
    {
      program: programOf('measure-stages', 'apps/proxy-runtime'),
      parameters,
      env: process.env,
      title: 'The longest turn of each stage',
      file: 'stages.md',
    },
    resultsFolder,
  );
