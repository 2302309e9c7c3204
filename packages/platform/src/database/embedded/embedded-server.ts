import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { problemText } from '../../lifecycle/problem.ts';
import type { Logger } from '../../log/logger.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import type { EmbeddedWorkerData } from './embedded-worker.ts';

export interface EmbeddedServer extends AsyncDisposable {
  /** A connection, for pg to speak over. Starts the worker again when it has died. */
  connect(): EmbeddedStream;
}

/** Starts PostgreSQL on the files in `directory`, making them at the first start. Rejects when it does not come up. */
export async function openEmbeddedServer(directory: string, log: Logger): Promise<EmbeddedServer> {
  let closing = false;
  let worker: Worker | undefined;

  const start = (): Worker => {
    const workerData: EmbeddedWorkerData = { directory };
    const started = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData });
    started.on('error', (error) => log.error('the embedded database failed', { reason: problemText(error) }));
    started.on('exit', () => {
      worker = undefined;
      if (!closing) log.error('the embedded database stopped; the next query starts it again');
    });
    return started;
  };

  worker = start();
  await ready(worker, directory);
  return {
    connect() {
      worker ??= start();
      const { port1, port2 } = new MessageChannel();
      worker.postMessage(port2, [port2]);
      return new EmbeddedStream(port1);
    },
    async [Symbol.asyncDispose]() {
      closing = true;
      if (worker === undefined) return;
      const exit = once(worker, 'exit');
      worker.postMessage(null);
      await exit;
    },
  };
}

async function ready(worker: Worker, directory: string): Promise<void> {
  const stopped = once(worker, 'exit').then(([code]) => {
    throw new Error(`it stopped with code ${String(code)}`);
  });
  try {
    await Promise.race([once(worker, 'message'), stopped]);
  } catch (error) {
    throw new Error(`The embedded database in ${directory} does not start: ${problemText(error)}`, { cause: error });
  }
  stopped.catch(() => {});
}
