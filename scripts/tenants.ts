import { parseArgs } from 'node:util';
import { startTestGateway } from '../packages/testkit/src/test-gateway.ts';
import { abortOnSignal } from './steps.mjs';
import { runTenants } from './tenants/run-tenants.ts';
import { openTestServices } from './test-services.mjs';

// npm run tenants: two tenants on one proxy, over as many requests as are asked for, broken off in every way, and whether anything
// that one said came to the other, or to its records.

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const usage = `npm run tenants [-- [--requests <number>] [--connections <number>] [--servers]]

  --requests     1000000 unless given
  --connections  at once; 40
  --servers      services on PostgreSQL and Redis, in place of one process

Ends with 1 when something crossed.`;

async function run(requests: number, connections: number, servers: boolean, signal: AbortSignal): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const open = async () => {
    if (!servers) return startTestGateway({ kind: 'one process' });
    const { environment } = opened.use(await openTestServices(say));
    const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = environment;
    return startTestGateway({ kind: 'services', databaseUrl, redisUrl });
  };
  const gateway = opened.use(await open());
  const startedAt = performance.now();
  const { examples, ...counts } = await runTenants(gateway, { requests, connections, signal });
  for (const [name, count] of Object.entries(counts)) console.log(`${name.padEnd(12)}${String(count).padStart(12)}`);
  console.log(`${'seconds'.padEnd(12)}${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(12)}`);
  for (const one of examples) console.log(one);
  return counts.crossings === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '1000000' },
      connections: { type: 'string', default: '40' },
      servers: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [requests, connections] = [Number(values.requests), Number(values.connections)];
  if (values.help || !(requests >= 1) || !(connections >= 1)) {
    say(usage);
    return values.help ? 0 : 2;
  }
  return run(requests, connections, values.servers, abortOnSignal());
}

process.exitCode = await main();
