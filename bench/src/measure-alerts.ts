import { fileURLToPath } from 'node:url';
import { runMeasurement } from './run-measurement.ts';

const program = fileURLToPath(new URL('../../apps/management-api/test/measure-alerts.ts', import.meta.url));

/**
 * `npm run bench -- alerts [server,embedded] [count]`: runs the management API's own queries on a
 * million alerts. Answers the exit code.
 */
export function measureAlerts(given: readonly string[], resultsFolder: string): Promise<number> {
  const url = process.env['BENCH_DATABASE_URL'];
  const env = { ...process.env, ...(url !== undefined && { TEST_DATABASE_URL: url }) };
  const kinds = url === undefined && env['TEST_DATABASE_URL'] === undefined ? ['embedded'] : [];
  const parameters = given.length > 0 ? given : kinds;
  return runMeasurement({ program, parameters, env, title: 'A million alerts', file: 'alerts.md' }, resultsFolder);
}
