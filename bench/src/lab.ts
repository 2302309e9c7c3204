import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import { Absent, type Contestant, type Rig, type RunningContestant } from './contestants/contestant.ts';
import { openLoadGenerator, type LoadGenerator } from './load-generator.ts';
import type { LoadOrder, LoadResult } from './load-order.ts';
import type { Machine } from './machine.ts';
import { readUsage, type Usage } from './process-usage.ts';
import type { Measured, Memory, Missing, Phase, Round, Settings } from './results.ts';

export interface Lab {
  readonly settings: Settings;
  readonly machine: Machine;
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** A contestant on its way through the run. */
interface Entry {
  readonly contestant: Contestant;
  /** Everything it started. */
  readonly stack: AsyncDisposableStack;
  running?: RunningContestant;
  missing?: Missing;
  startedBytes: number;
  memory?: Memory;
  requests: number;
  readonly rounds: Round[];
}

/**
 * Starts everyone, runs the rounds interleaved, then the memory phases, and stops everyone: also when
 * the signal fires or something fails.
 * @throws the signal's reason
 */
export async function runLab(lab: Lab, contestants: readonly Contestant[]): Promise<(Measured | Missing)[]> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const upstreamPort = await openUpstream(lab, folder, stack);
  const load = stack.use(await openLoadGenerator(lab.machine.pinned.load, folder, lab.signal));
  const place = { ...lab, upstreamPort, folder };
  const entries: Entry[] = contestants.map((contestant) => ({
    contestant,
    stack: stack.use(new AsyncDisposableStack()),
    startedBytes: 0,
    requests: 0,
    rounds: [],
  }));

  const deadline = performance.now() + lab.settings.maxMs;
  for (const entry of entries) await attempt(lab, entry, () => openEntry(lab, place, load, entry));
  for (let round = 0; round < lab.settings.rounds && performance.now() < deadline; round += 1) {
    lab.say(`round ${round + 1} of ${lab.settings.rounds}`);
    for (const entry of rotate(entries, round)) await attempt(lab, entry, () => runRound(lab, load, entry));
  }
  for (const entry of entries) {
    if (performance.now() < deadline) await attempt(lab, entry, () => soak(lab, load, entry));
    await attempt(lab, entry, async () => entry.running?.check?.(entry.requests));
  }
  return entries.map(renderEntry);
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
  if (typeof message !== 'object' || message === null || !('port' in message))
    throw new Error('The upstream has no port');
  return Number(message.port);
}

/** Another one goes first in each round, so that none always runs after the heaviest. */
const rotate = <Item>(items: readonly Item[], by: number): Item[] =>
  items.map((_, index) => items[(index + by) % items.length]).filter((item) => item !== undefined);

/** Does one step of one contestant. A contestant that fails is out, with the reason; the others go on. */
async function attempt({ signal, say }: Lab, entry: Entry, step: () => Promise<unknown>): Promise<void> {
  if (entry.missing !== undefined) return;
  try {
    await step();
    signal.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    const { name, description } = entry.contestant;
    const status = error instanceof Absent ? 'absent' : 'failed';
    const reason = error instanceof Error ? error.message : String(error);
    entry.missing = { status, name, description, reason };
    say(`${name} ${status}: ${reason}`);
    await entry.stack.disposeAsync();
  }
}

async function openEntry(lab: Lab, place: Omit<Rig, 'start' | 'defer'>, load: LoadGenerator, entry: Entry) {
  lab.say(`starting ${entry.contestant.name}`);
  const { stack } = entry;
  const core = lab.machine.pinned.proxy;
  const running = await entry.contestant.open({
    ...place,
    start: async (options) => stack.use(await startChild({ ...options, core, folder: place.folder })),
    defer: (task) => stack.defer(task),
  });
  entry.running = running;
  entry.startedBytes = usageOf(running.pid).rssBytes;
  await run(load, entry, manyOrder(lab.settings, running, lab.settings.warmUpMs));
  await run(load, entry, { ...streamOrder(lab.settings, running), maxMs: lab.settings.warmUpMs / 4 });
  await settle(running.pid, lab.signal);
}

async function runRound(lab: Lab, load: LoadGenerator, entry: Entry): Promise<void> {
  const { settings } = lab;
  const running = runningOrThrow(entry);
  const measure = (order: LoadOrder) => measurePhase(lab, load, entry, order);
  const many = await measure(manyOrder(settings, running, settings.phaseMs));
  const one = await measure({ ...manyOrder(settings, running, settings.phaseMs), connections: 1 });
  const streams = await measure(streamOrder(settings, running));
  entry.rounds.push({ many, one, streams });
}

async function soak(lab: Lab, load: LoadGenerator, entry: Entry): Promise<void> {
  const running = runningOrThrow(entry);
  if (running.pid === undefined) return;
  lab.say(`many requests to ${entry.contestant.name}`);
  const beforeBytes = usageOf(running.pid).rssBytes;
  const { soakRequests: maxRequests, soakMs } = lab.settings;
  const { load: result } = await measurePhase(lab, load, entry, {
    ...manyOrder(lab.settings, running, soakMs),
    maxRequests,
  });
  const afterBytes = usageOf(running.pid).rssBytes;
  entry.memory = { startedBytes: entry.startedBytes, beforeBytes, afterBytes, requests: result.requests };
}

const unlimited = 1e9;

const manyOrder = ({ manyConnections }: Settings, { target }: RunningContestant, maxMs: number): LoadOrder => ({
  target,
  connections: manyConnections,
  maxRequests: unlimited,
  maxMs,
});

const streamOrder = ({ streamConnections, chunks, phaseMs }: Settings, { target }: RunningContestant): LoadOrder => ({
  target,
  connections: streamConnections,
  maxRequests: unlimited,
  maxMs: phaseMs,
  chunks,
});

async function measurePhase(lab: Lab, load: LoadGenerator, entry: Entry, order: LoadOrder): Promise<Phase> {
  const pid = runningOrThrow(entry).pid;
  const before = usageOf(pid);
  const result = await run(load, entry, order);
  await settle(pid, lab.signal);
  const after = usageOf(pid);
  return {
    load: result,
    cpuMicros: after.cpuMicros - before.cpuMicros,
    mainThreadMicros: after.mainThreadMicros - before.mainThreadMicros,
    threadMicros: subtract(after.threadMicros, before.threadMicros),
  };
}

async function run(load: LoadGenerator, entry: Entry, order: LoadOrder): Promise<LoadResult> {
  const result = await load.run(order);
  entry.requests += result.requests;
  return result;
}

const settleWindowMs = 250;
const settleAtMost = 16;
const quietShare = 0.03;

/** Waits until the processes have done what they left for later, so that it counts for the requests that caused it. */
async function settle(pid: number | undefined, signal: AbortSignal): Promise<void> {
  if (pid === undefined) return;
  let before = usageOf(pid).cpuMicros;
  for (let turn = 0; turn < settleAtMost; turn += 1) {
    await pause(settleWindowMs, undefined, { signal });
    const after = usageOf(pid).cpuMicros;
    if (after - before < quietShare * settleWindowMs * 1e3) return;
    before = after;
  }
}

const nothingUsed: Usage = { cpuMicros: 0, mainThreadMicros: 0, threadMicros: {}, rssBytes: 0 };

const usageOf = (pid: number | undefined): Usage => (pid === undefined ? nothingUsed : readUsage(pid));

const subtract = (after: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(after).map(([name, micros]) => [name, Math.round(micros - (before[name] ?? 0))]));

function runningOrThrow(entry: Entry): RunningContestant {
  if (entry.running === undefined) throw new Error(`${entry.contestant.name} was not started`);
  return entry.running;
}

function renderEntry({ contestant, running, missing, rounds, memory }: Entry): Measured | Missing {
  if (missing !== undefined) return missing;
  const { name, description } = contestant;
  return { status: 'measured', name, description, facts: running?.facts ?? [], rounds, memory };
}
