import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Asks one address after the other again and again, in a thread of its own: what an attacker's own thread is busy with is no wait.

const lookEveryMs = 5;
/** Someone who waits longer than this is not waited for. */
const maxWaitMs = 60_000;

const { addresses } = workerData as { readonly addresses: readonly string[] };
const agent = new Agent({ keepAlive: true });

const state = { isWatching: false, longestMs: 0 };

function look(address: string): Promise<void> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    state.longestMs = Math.max(state.longestMs, performance.now() - startedAt);
    resolve();
  };
  const request = get(address, { agent, timeout: maxWaitMs }, (response) => response.resume().once('close', end));
  request.once('timeout', () => request.destroy()).once('error', end);
  return promise;
}

async function watch(address: string): Promise<void> {
  while (state.isWatching) {
    await look(address);
    await new Promise((resolve) => void setTimeout(resolve, lookEveryMs));
  }
}

let watched: Promise<unknown> = Promise.resolve();

parentPort?.on('message', (message: 'begin' | 'end') => {
  if (message === 'begin') {
    Object.assign(state, { isWatching: true, longestMs: 0 });
    watched = Promise.all(addresses.map(watch));
  } else {
    state.isWatching = false;
    // A look that is under way counts: it may be the one that is kept waiting.
    void watched.then(() => parentPort?.postMessage(state.longestMs));
  }
});
