import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGatewayProcess } from '@portcullis/testkit/gateway-process';
import { agentSteps } from './demo/agent-steps.ts';
import { evaluationSteps } from './demo/evaluation-steps.ts';
import { startDemoPeers } from './demo/demo-peers.ts';
import { renderFarewell } from './demo/render-farewell.ts';
import { setUpSteps } from './demo/set-up-steps.ts';
import { skillSteps } from './demo/skill-steps.ts';
import { runTour } from './demo/tour.ts';
import { createTourState } from './demo/tour-state.ts';
import { trafficSteps } from './demo/traffic-steps.ts';

// The gateway runs as a process of its own on a folder of its own, and the tour talks to it over
// HTTP only: nothing here can do what a user could not, and every run starts from nothing.

// The listeners stay: the terminal and npm both pass a Ctrl-C on, and the second one must not end
// the process before everything is put away.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());

const say = (text: string): void => {
  if (!interruption.signal.aborted) process.stdout.write(`${text}\n`);
};

/** Answers the exit code. */
async function demo(): Promise<number> {
  const interrupted = once(interruption.signal, 'abort').then(() => 'interrupted' as const);
  await using opened = new AsyncDisposableStack();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portcullis-demo-'));
  opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const world = opened.use(await startDemoPeers());
  const state = createTourState(world, randomBytes(12).toString('base64url'));

  say('Starting a gateway on embedded stores, two targets, an agent and a chat ...\n');
  const gateway = await startGatewayProcess('gateway', {
    PORT: String(world.ports.edge),
    DATA_DIR: dataDirectory,
    ADMIN_USERNAME: state.admin.username,
    ADMIN_PASSWORD: state.admin.password,
  });
  opened.defer(async () => void (await gateway.stop()));

  const tour = runTour([...setUpSteps, ...trafficSteps, ...agentSteps, ...skillSteps, ...evaluationSteps], say, state);
  const surprises = await Promise.race([tour, interrupted]);
  if (surprises === 'interrupted') return 0;
  if (surprises > 0) say(`\n${surprises} of the steps went other than expected.`);
  say(renderFarewell(state, dataDirectory));

  const exited = once(gateway.child, 'exit').then(() => 'exited' as const);
  if ((await Promise.race([interrupted, exited])) === 'interrupted') return surprises === 0 ? 0 : 1;
  say(`The gateway has ended:\n${gateway.output.slice(-20).join('\n')}`);
  return 1;
}

try {
  process.exitCode = await demo();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = interruption.signal.aborted ? 0 : 1;
}
process.exit();
