import { setImmediate } from 'node:timers';

/** So long others wait at the most, in milliseconds. */
const sliceMs = 8;

/** Those whose slice is to come, in their order. */
const waiting: (() => void)[] = [];

/**
 * Takes all steps of some work, which should be short, and lets the event loop turn after every slice. However much
 * work goes on like this, one turn has one slice.
 */
export async function runTimeSliced<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  if (waiting.length > 0) await nextTurn();
  for (;;) {
    const end = performance.now() + sliceMs;
    while (performance.now() < end) {
      const { done, value } = steps.next();
      if (done === true) return value;
    }
    await nextTurn();
  }
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(startNext);
  });

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}
