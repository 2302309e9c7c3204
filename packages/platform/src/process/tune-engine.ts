/*
 * Everything that this gateway tells V8, or does for its sake alone. Each entry was measured alone on the Node below with
 * whole gateways under load. With the next major version of Node: take each out, run `npm run bench` and keep it only
 * where the bench shows a difference; a test fails until the version below is the new one.
 */
import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export const measuredOnNode = '26.10.0';

const serverFlags = [
  // By so much the old heap may grow before all of it is collected. V8 itself sees long pauses between bursts of traffic
  // and lets it grow by hardly more than the young heap takes, so each burst paid for a collection of its own.
  '--heap-growing-percent=60',
  // Hardly anything survives in the young heap: threads that help to collect it cost more than they take over.
  '--no-parallel-scavenge',
  // Nothing is collected because nothing happens: V8 throws away most of what it compiled then, and traffic that comes back
  // after half a minute waits and pays for all of it again.
  '--memory-reducer-gc-count=0',
];

/** For a process that serves; before it does anything else. */
export function tuneEngine(): void {
  for (const flag of serverFlags) setFlagsFromString(flag);
  keepTick();
}

/** Starting leaves hundreds of megabytes behind, which would stay until traffic fills them. Takes 0.2 s. */
export function collectStartGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** For a process that runs once: no optimising compiler, and little memory for what dies young. */
export const shortRunFlags = ['--liftoff-only', '--wasm-lazy-compilation', '--max-semi-space-size=1'];

/** For the thread of the embedded database: what dies young there are copies of answers on their way to the other thread. */
export const databaseThreadLimits = { maxYoungGenerationSizeMb: 6 };

const kept: object[] = [];

/**
 * Keeps one tick for as long as the process lives. Node makes a tick (`process.nextTick`) of a literal with computed
 * names. When full collections find none, V8 forgets the shape of ticks and takes eight times as long for each from
 * then on, and a request takes a dozen.
 */
export function keepTick(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
