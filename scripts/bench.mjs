import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { abortOnSignal, root } from './steps.mjs';
import { openTestServices } from './test-services.mjs';

// `npm run bench`: the laboratory, with PostgreSQL and Redis for the contestant that runs on them.
// Without servers that contestant is reported as absent, and the rest is measured all the same.

/** @param {(line: string) => void} say */
async function openServers(say) {
  try {
    return await openTestServices(say);
  } catch (error) {
    say(`No servers: ${error instanceof Error ? error.message : String(error)}`);
    return { environment: {}, [Symbol.asyncDispose]: async () => {} };
  }
}

const signal = abortOnSignal();
await using services = await openServers((line) => process.stderr.write(`${line}\n`));
const { TEST_DATABASE_URL, TEST_REDIS_URL } = /** @type {NodeJS.ProcessEnv} */ (services.environment);
const env = {
  ...(TEST_DATABASE_URL === undefined ? {} : { BENCH_DATABASE_URL: TEST_DATABASE_URL }),
  ...(TEST_REDIS_URL === undefined ? {} : { BENCH_REDIS_URL: TEST_REDIS_URL }),
  ...process.env,
};
const laboratory = spawn(process.execPath, [join(root, 'bench', 'src', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: 'inherit',
});
signal.addEventListener('abort', () => laboratory.kill('SIGTERM'));
process.exitCode = await new Promise((resolve) => {
  laboratory.once('error', () => resolve(1));
  laboratory.once('close', (code) => resolve(code ?? 130));
});
