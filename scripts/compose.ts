import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../packages/testkit/src/wait-for.ts';
import { openEngine } from './compose/engine.ts';
import { findLost } from './compose/evidence.ts';
import { faults, inflict } from './compose/faults.ts';
import { startLoad, type Seen } from './compose/load.ts';
import { setUpStack } from './compose/stack.ts';
import { writeSecrets } from './compose/write-secrets.ts';
import { root } from './steps.mjs';

// `npm run test:compose`: brings the stack of docker-compose.yml up, follows the README through its published ports, takes
// its parts away under load, and counts what failed, what got through and what was lost.

const help = `npm run test:compose [-- --no-build] [-- --keep]

  --no-build   takes the image "portcullis" as it is
  --keep       leaves the stack running

Wants a Docker engine and the ports 8080, 8099 and 9001 to 9003.`;

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: { 'no-build': { type: 'boolean' }, keep: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help) {
  say(help);
  process.exit(0);
}

const secrets = await writeSecrets();
// oxlint-disable-next-line node/no-process-env -- handed on to the compose command
const inherited = process.env;
const engine = await openEngine(
  'portcullis-test',
  [join(root, 'docker-compose.yml'), join(root, 'infra', 'docker-compose.test.yml')],
  {
    ...inherited,
    SECRETS_FOLDER: secrets.folder,
    ALLOWED_PRIVATE_TARGETS: 'peers',
    PROXY_PORTS: '9001-9003',
  },
);

/** The failures since the last count, as a text. */
const failuresSince = (seen: Seen, before: ReadonlyMap<string, number>): string => {
  const parts = [...seen.failed].map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const);
  const counts = parts.filter(([, count]) => count > 0).map(([what, count]) => `${count} × ${what}`);
  return counts.length === 0 ? '0' : counts.join(', ');
};

async function suffer(): Promise<boolean> {
  const stack = await setUpStack('http://127.0.0.1:8080', 9001, secrets.adminPassword);
  say('The README was followed: a proxy answers on port 9001.\n');
  say('| fault | requests | failed | well again after s | wrongly admitted |\n|---|--:|---|--:|--:|');
  let seen: Seen;
  {
    await using load = startLoad(stack);
    seen = load.seen;
    for (const fault of [undefined, ...faults]) {
      const [sent, admitted, failed] = [seen.sent, seen.admitted, new Map(seen.failed)];
      if (fault === undefined) await pause(5_000);
      else await inflict(engine, fault);
      const givenBackAt = performance.now();
      seen.goodInARow = 0;
      await waitFor(() => seen.goodInARow >= 20, { what: 'good answers', timeoutMs: 120_000, intervalMs: 50 });
      // Twenty requests of a healthy stack take a second by themselves.
      const wellAfter = Math.max(0, (performance.now() - givenBackAt) / 1_000 - 1).toFixed(1);
      await pause(2_000);
      const counts = `${seen.sent - sent} | ${failuresSince(seen, failed)} | ${wellAfter} | ${seen.admitted - admitted}`;
      say(`| ${fault?.name ?? 'none'} | ${counts} |`);
    }
  }
  const lost = await findLost(stack, seen, async (what) => (await fetch(`http://127.0.0.1:8099/${what}`)).text());
  const { answered, refused, invoked, tasks, packages, sent, admitted } = seen;
  say(`\n${sent} requests, ${answered.size} answered, ${refused.size} attacks refused.`);
  say(
    `${invoked.size} invocations of an agent answered, with ${tasks.size} tasks; ${packages.size} packages of skills taken.`,
  );
  const counts = Object.entries(lost).map(([what, count]) => `${count} ${what}`);
  say(`Wrongly admitted: ${admitted}. Lost: ${counts.join(', ')}.`);
  if (refused.size === 0) throw new Error('No attack was refused, so nothing was learnt of alerts');
  return Object.values(lost).reduce((sum, count) => sum + count, admitted) === 0;
}

try {
  if (!values['no-build']) await engine.compose('build');
  await engine.compose('up', '-d', '--no-build');
  process.exitCode = (await suffer()) ? 0 : 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  say(await engine.compose('logs', '--no-color', '--tail', '20').catch(() => ''));
  process.exitCode = 2;
} finally {
  if (!values.keep) await engine.compose('down', '-v', '--remove-orphans').catch(() => undefined);
  await secrets[Symbol.asyncDispose]();
}
