import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  /** What is waited for; completes the sentence "Waited 60000 ms for ...". */
  readonly what: string;
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

type Truthy<Value> = Exclude<Value, undefined | null | false | 0 | ''>;

/**
 * Asks `condition` until it answers something truthy, and answers that. A throw counts as not yet.
 * @throws when the time is over, naming what was waited for and what the condition said last
 */
export async function waitFor<Value>(
  condition: () => Value | Promise<Value>,
  { what, timeoutMs = 60_000, intervalMs = 10 }: WaitOptions,
): Promise<Truthy<Value>> {
  const deadline = performance.now() + timeoutMs;
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
    await pause(intervalMs);
  }
}

async function ask<Value>(condition: () => Value | Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}
