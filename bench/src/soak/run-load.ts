import { setTimeout as pause } from 'node:timers/promises';
import { activities } from './activities.ts';
import type { World } from './soak-context.ts';

export interface LoadOptions {
  readonly durationMs: number;
  /** Activities begun in a second. */
  readonly perSecond: number;
  readonly signal: AbortSignal;
}

export interface LoadOutcome {
  /** How often each activity was done. */
  readonly done: ReadonlyMap<string, number>;
  readonly wrongCount: number;
  /** The first of them. */
  readonly wrong: readonly string[];
}

/** More at once would hide that the gateway does not keep up. */
const lanes = 48;
const keptProblems = 20;

/** Does what clients do, at an even pace, until the time is over; what goes wrong is counted and it goes on. */
export async function runLoad(world: World, { durationMs, perSecond, signal }: LoadOptions): Promise<LoadOutcome> {
  const done = new Map<string, number>();
  const wrong: string[] = [];
  let wrongCount = 0;
  const startedAt = performance.now();
  let begun = 0;
  const order = dealActivities();

  const runLane = async (): Promise<void> => {
    for (;;) {
      const dueAt = startedAt + (1_000 * begun) / perSecond;
      begun += 1;
      const waitMs = dueAt - performance.now();
      if (dueAt - startedAt >= durationMs || signal.aborted) return;
      if (waitMs > 1) await pause(waitMs);
      if (performance.now() - startedAt >= durationMs) return;
      const { name, run } = order();
      try {
        await run(world);
        done.set(name, (done.get(name) ?? 0) + 1);
      } catch (error) {
        wrongCount += 1;
        if (wrong.length < keptProblems) wrong.push(`${name}: ${describe(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return { done, wrongCount, wrong };
}

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};

/** Each comes as often as its share says, in an order without runs: the one furthest behind its share is next. */
function dealActivities() {
  const total = activities.reduce((sum, { share }) => sum + share, 0);
  const credits = activities.map(() => 0);
  return () => {
    for (const [index, { share }] of activities.entries()) credits[index] = (credits[index] ?? 0) + share / total;
    const richest = credits.reduce((best, credit, index) => (credit > (credits[best] ?? 0) ? index : best), 0);
    credits[richest] = (credits[richest] ?? 0) - 1;
    const next = activities[richest];
    if (next === undefined) throw new Error('There is nothing to do');
    return next;
  };
}
