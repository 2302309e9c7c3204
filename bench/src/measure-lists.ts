import { fileURLToPath } from 'node:url';
import { runMeasurement } from './run-measurement.ts';

const titles = { alerts: 'A million alerts', audit: 'A million audit records' };
export type ListName = keyof typeof titles;

export const isListName = (name: string | undefined): name is ListName => name !== undefined && name in titles;

/**
 * `npm run bench -- alerts|audit [server,embedded] [count]`: runs the management API's own queries on a
 * million rows. Answers the exit code.
 */
export function measureLists(name: ListName, given: readonly string[], resultsFolder: string): Promise<number> {
  const program = fileURLToPath(new URL(`../../apps/management-api/test/measure/measure-${name}.ts`, import.meta.url));
  const url = process.env['BENCH_DATABASE_URL'];
  const env = { ...process.env, ...(url !== undefined && { TEST_DATABASE_URL: url }) };
  const kinds = url === undefined && env['TEST_DATABASE_URL'] === undefined ? ['embedded'] : [];
  const parameters = given.length > 0 ? given : kinds;
  return runMeasurement({ program, parameters, env, title: titles[name], file: `${name}.md` }, resultsFolder);
}
