import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  /** What is waited for; completes the sentence "Waited 60000 ms for ...". */
  readonly what: string;
  readonly timeoutMs?: number;
  /** Between two questions; unless given it grows with the time waited, so that long waits leave the processor to what is waited for. */
  readonly intervalMs?: number;
}

const leastIntervalMs = 10;
const mostIntervalMs = 200;
const intervalShare = 0.1;

type Truthy<Value> = Exclude<Value, undefined | null | false | 0 | ''>;

/**
 * Asks `condition` until it answers something truthy, and answers that. A throw counts as not yet.
 * @throws when the time is over, naming what was waited for and what the condition said last
 */
export async function waitFor<Value>(
  condition: () => Value | Promise<Value>,
  { what, timeoutMs = 60_000, intervalMs }: WaitOptions,
): Promise<Truthy<Value>> {
  const startedAt = performance.now();
  const deadline = startedAt + timeoutMs;
  for (;;) {
    const last = await ask(condition);
    if ('value' in last && last.value) return last.value as Truthy<Value>;
    if (performance.now() >= deadline) {
      if ('value' in last)
        throw new Error(`Waited ${timeoutMs} ms for ${what}; it last answered ${String(last.value)}`);
      throw new Error(`Waited ${timeoutMs} ms for ${what}; it last threw: ${String(last.error)}`, {
        cause: last.error,
      });
    }
    await pause(intervalMs ?? intervalAfter(performance.now() - startedAt));
  }
}

const intervalAfter = (waitedMs: number): number =>
  Math.min(Math.max(leastIntervalMs, waitedMs * intervalShare), mostIntervalMs);

async function ask<Value>(condition: () => Value | Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}
