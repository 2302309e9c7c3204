import { startTestGateway } from '../packages/testkit/src/test-gateway.ts';
import { createManagementClient, type ManagementClient } from '../packages/testkit/src/management-client.ts';
import { allAttacks } from './security/all-attacks.ts';
import { openGatewayStores } from './security/gateway-stores.ts';
import { openLaboratory } from './security/laboratory.ts';
import { parseOptionsOrThrow, usage, UsageProblem, type Options } from './security/options.ts';
import { isHeld, renderReport } from './security/report.ts';
import { runAttacks } from './security/run-attacks.ts';
import { abortOnSignal } from './steps.mjs';
import { openTestServices } from './test-services.mjs';

// npm run security: attacks a gateway as its adversaries would. Everything stays on loopback, and every attack has an
// end in number and time.

const say = (line: string): void => void process.stderr.write(`${line}\n`);

interface Attacked {
  readonly url: string;
  readonly admin: ManagementClient;
}

async function openGateway(gateway: Options['gateway'], opened: AsyncDisposableStack): Promise<Attacked> {
  if (gateway === 'one process') return opened.use(await startTestGateway({ kind: 'one process' }));
  if (gateway === 'services') {
    const { environment } = opened.use(await openTestServices(say));
    const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = environment;
    Object.assign(process.env, environment);
    return opened.use(
      await startTestGateway({ kind: 'services', databaseUrl, redisUrl, beside: ['notifier', 'a2a-hub', 'skill-hub'] }),
    );
  }
  const { url, username } = gateway;
  const password = process.env['ADMIN_PASSWORD'];
  if (password === undefined) throw new UsageProblem('--url needs the password of the admin in ADMIN_PASSWORD');
  return { url, admin: await createManagementClient(url, { username, password }) };
}

async function run(options: Options, signal: AbortSignal): Promise<number> {
  const attacks = allAttacks.filter(
    ({ name, slow }) =>
      !(options.quick && slow === true) &&
      (options.only.length === 0 || options.only.some((part) => name.includes(part))),
  );
  if (attacks.length === 0)
    throw new UsageProblem(`No attack has such a name:\n${allAttacks.map(({ name }) => `  ${name}`).join('\n')}`);
  await using opened = new AsyncDisposableStack();
  const gateway = await openGateway(options.gateway, opened);
  const kind = options.gateway === 'services' ? 'services' : 'one process';
  const { url, admin } = gateway;
  const laboratory = opened.use(await openLaboratory({ url, admin, openPlace: () => openGatewayStores(kind) }));
  const trials = await runAttacks(attacks, laboratory, {
    signal,
    onTrial: (trial) => say(`${isHeld(trial) ? '✓' : '✗'} ${trial.attack.name}`),
  });
  console.log(renderReport(trials));
  return trials.every(isHeld) ? 0 : 1;
}

async function main(): Promise<number> {
  const signal = abortOnSignal();
  try {
    const options = parseOptionsOrThrow(process.argv.slice(2));
    if (!options.help) return await run(options, signal);
    console.log(usage);
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    say(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageProblem) say(usage);
    return error instanceof UsageProblem ? 2 : 1;
  }
}

process.exitCode = await main();
