import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../apps/management-api/test/measure-alerts.ts', import.meta.url));

/**
 * `npm run bench -- alerts [server,embedded] [count]`: runs the management API's own queries on a
 * million alerts, in a process of its own, and keeps what it prints. Answers its exit code.
 */
export async function measureAlerts(parameters: readonly string[], resultsFolder: string): Promise<number> {
  const url = process.env['BENCH_DATABASE_URL'];
  const env = { ...process.env, ...(url !== undefined && { TEST_DATABASE_URL: url }) };
  const kinds = url === undefined && env['TEST_DATABASE_URL'] === undefined ? ['embedded'] : [];
  const given = parameters.length > 0 ? parameters : kinds;
  const child = spawn(process.execPath, [program, ...given], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const parts: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    parts.push(part);
    process.stdout.write(part);
  });
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  if (code !== 0) return code;
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(join(resultsFolder, 'alerts.md'), `# A million alerts\n\n${parts.join('')}`);
  return code;
}
