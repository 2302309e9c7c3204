import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild, type ChildOptions } from '../child.ts';
import { startPortcullis } from '../contestants/portcullis.ts';
import { openServerStores } from '../contestants/portcullis-servers.ts';
import { describeMachine } from '../machine.ts';
import { checkRecords } from './check-records.ts';
import { listen } from './live-listener.ts';
import { startPeers } from './peers.ts';
import { findGrowth, renderSoak, type SoakResults } from './report.ts';
import { runLoad } from './run-load.ts';
import { setUp } from './set-up.ts';
import { parseSoakOptionsOrThrow, type SoakOptions } from './soak-options.ts';
import { watch } from './process-watch.ts';
import { countRequests } from './soak-context.ts';

/** Behind the last answer, until the memory of what is done is free. */
const settleMs = 3_000;

/**
 * `npm run bench -- soak [minutes] [--rate n] [--servers]`: a gateway as `npm start` runs it under mixed traffic, and
 * whether anything in it grows. Answers the exit code: 1 after a wrong answer, a lost record or growth.
 * @throws {UsageProblem} naming what is wrong with the parameters
 */
export async function measureSoak(
  given: readonly string[],
  resultsFolder: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<number> {
  const results = await soak(parseSoakOptionsOrThrow(given), signal, say);
  const markdown = renderSoak(results);
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(join(resultsFolder, 'soak.md'), markdown);
  await writeFile(join(resultsFolder, 'soak.json'), renderJson(results));
  process.stdout.write(markdown);
  return results.problems.length === 0 ? 0 : 1;
}

async function soak(options: SoakOptions, signal: AbortSignal, say: (line: string) => void): Promise<SoakResults> {
  const machine = describeMachine();
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-soak-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const stores = options.onServers ? await openServerStores({ defer: (task) => stack.defer(task) }) : {};
  const peers = stack.use(await startPeers());
  const name = 'portcullis';
  const rig = {
    folder,
    signal,
    start: async (child: Omit<ChildOptions, 'core' | 'folder'>) =>
      stack.use(await startChild({ ...child, core: undefined, folder })),
  };
  const gateway = await startPortcullis(rig, name, stores);
  const world = { admin: gateway.admin, url: gateway.url, ...(await setUp(gateway.admin, peers)) };
  const live = stack.use(listen(world));
  const watching = stack.use(
    watch({
      pid: gateway.child.pid,
      url: gateway.url,
      dataDirectory: join(folder, name),
      countRequests: () => countRequests(world),
    }),
  );
  say(`soaking for ${options.minutes} minutes`);
  const load = await runLoad(world, { durationMs: options.minutes * 60_000, perSecond: options.perSecond, signal });
  await watching[Symbol.asyncDispose]();
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  say('looking for the records');
  const lost = await checkRecords(world);
  const { samples } = watching;
  const wrong = load.wrongCount === 0 ? [] : [`${load.wrongCount} wrong answers, the first: ${load.wrong.join('; ')}`];
  const ended = gateway.child.hasEnded() ? [`the gateway ended: ${gateway.child.tail()}`] : [];
  return {
    machine,
    minutes: options.minutes,
    perSecond: options.perSecond,
    stores: options.onServers ? 'PostgreSQL and Redis' : 'embedded stores',
    requests: countRequests(world),
    load,
    problems: [...wrong, ...lost, ...live.problems, ...ended, ...findGrowth(samples)],
    liveEvents: live.heard,
    samples,
  };
}

/** One line for each sample. */
function renderJson({ samples, load, ...results }: SoakResults): string {
  const rows = samples.map((sample) => JSON.stringify(sample)).join(',\n');
  const head = JSON.stringify({ ...results, load: { ...load, done: Object.fromEntries(load.done) } }, null, 1);
  return `${head.slice(0, -2)},\n "samples": [\n${rows}\n]}\n`;
}
