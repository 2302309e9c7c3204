import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '@portcullis/testkit/is-object';
import { startChild } from './child.ts';
import { Absent, type Contestant } from './contestants/contestant.ts';
import { openLoadGenerator } from './load-generator.ts';
import type { Machine } from './machine.ts';
import type { Measured, Missing, Settings } from './results.ts';
import { Trial } from './trial.ts';

export interface Lab {
  readonly settings: Settings;
  readonly machine: Machine;
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Starts everyone, runs the rounds interleaved, then the memory phases, and stops everyone: also when
 * the signal fires or something fails.
 * @throws the signal's reason
 */
export async function runLab(lab: Lab, contestants: readonly Contestant[]): Promise<(Measured | Missing)[]> {
  const { settings, machine, signal, say } = lab;
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const upstreamPort = await openUpstream(lab, folder, stack);
  const load = stack.use(await openLoadGenerator(machine.pinned.load, folder, signal));
  const place = { ...lab, upstreamPort, folder, load, core: machine.pinned.proxy };
  const trials = contestants.map((contestant) => stack.use(new Trial(contestant, place)));
  const missing = new Map<Trial, Missing>();

  /** Does one step of one contestant. One that fails is out, with the reason; the others go on. */
  const attempt = async (trial: Trial, step: () => Promise<void>): Promise<void> => {
    if (missing.has(trial)) return;
    try {
      await step();
      signal.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      const failure = describeFailure(trial, error);
      missing.set(trial, failure);
      say(`${failure.name} ${failure.status}: ${failure.reason}`);
      await trial[Symbol.asyncDispose]();
    }
  };

  const deadline = performance.now() + settings.maxMs;
  const hasTime = () => performance.now() < deadline;
  for (const trial of trials) {
    say(`starting ${trial.contestant.name}`);
    await attempt(trial, () => trial.open());
  }
  for (let round = 0; round < settings.rounds && (round === 0 || hasTime()); round += 1) {
    say(`round ${round + 1} of ${settings.rounds}`);
    for (const trial of rotate(trials, round)) await attempt(trial, () => trial.runRound());
  }
  say('memory: many requests to each');
  for (const trial of trials) {
    if (hasTime()) await attempt(trial, () => trial.soak());
    await attempt(trial, () => trial.check());
  }
  return trials.map((trial) => missing.get(trial) ?? trial.result());
}

async function openUpstream({ machine, settings, signal }: Lab, folder: string, stack: AsyncDisposableStack) {
  const script = fileURLToPath(new URL('upstream.ts', import.meta.url));
  const sizes = ['--chunks', String(settings.chunks), '--interval-ms', String(settings.chunkIntervalMs)];
  const upstream = stack.use(
    await startChild({
      name: 'upstream',
      command: process.execPath,
      parameters: [script, ...sizes],
      core: machine.pinned.upstream,
      folder,
      messages: true,
    }),
  );
  const message = await upstream.nextMessage(signal);
  if (!isObject(message)) throw new Error('The upstream told no port');
  return Number(message['port']);
}

function describeFailure({ contestant: { name, description } }: Trial, error: unknown): Missing {
  const reason = error instanceof Error ? error.message : String(error);
  return { status: error instanceof Absent ? 'absent' : 'failed', name, description, reason };
}

/** Another one goes first in each round, so that none always runs after the heaviest. */
const rotate = <Item>(items: readonly Item[], by: number): Item[] => {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
};
