import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Somebody who asks the gateway how it is, again and again. */
export interface HealthWatch extends AsyncDisposable {
  /** Runs the attack and answers the longest wait meanwhile, in milliseconds. */
  longestWhile(attack: () => Promise<unknown>): Promise<number>;
}

/** So long the gateway is looked at before the attack begins and after it has ended: what it left to be done counts, too. */
const aroundMs = 100;

/** @param addresses answered without anything to be done; each is asked by itself */
export function openHealthWatch(addresses: readonly string[]): HealthWatch {
  const worker = new Worker(new URL('health-watch.worker.ts', import.meta.url), { workerData: { addresses } });
  worker.unref();
  return {
    async longestWhile(attack) {
      worker.postMessage('begin');
      await pause(aroundMs);
      try {
        await attack();
        await pause(aroundMs);
      } finally {
        worker.postMessage('end');
      }
      const [longestMs] = (await once(worker, 'message')) as [number];
      return longestMs;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
