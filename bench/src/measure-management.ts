import { fileURLToPath } from 'node:url';
import { runMeasurement } from './run-measurement.ts';

const titles = { alerts: 'A million alerts', audit: 'A million audit records', live: 'Connections to /ws' };
export type ManagementSubject = keyof typeof titles;

export const isManagementSubject = (name: string | undefined): name is ManagementSubject =>
  name !== undefined && name in titles;

/**
 * `npm run bench -- alerts|audit [server,embedded] [count]` runs the management API's own queries on a million
 * rows, `npm run bench -- live [count]` opens a thousand connections. Answers the exit code.
 */
export function measureManagement(
  subject: ManagementSubject,
  given: readonly string[],
  resultsFolder: string,
): Promise<number> {
  const program = fileURLToPath(
    new URL(`../../apps/management-api/test/measure/measure-${subject}.ts`, import.meta.url),
  );
  const url = process.env['BENCH_DATABASE_URL'];
  const env = { ...process.env, ...(url !== undefined && { TEST_DATABASE_URL: url }) };
  const hasServer = env['TEST_DATABASE_URL'] !== undefined;
  const parameters = given.length > 0 || subject === 'live' || hasServer ? given : ['embedded'];
  return runMeasurement({ program, parameters, env, title: titles[subject], file: `${subject}.md` }, resultsFolder);
}
