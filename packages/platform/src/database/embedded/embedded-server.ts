import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { lockFileOrThrow } from '../../process/file-lock.ts';
import { problemText } from '../../errors/problem.ts';
import { databaseThreadLimits } from '../../process/tune-engine.ts';
import type { Logger } from '../../log/logger.ts';
import { createDataFiles } from './create-data-files.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import type { EmbeddedWorkerData, EmbeddedWorkerMessage } from './embedded-worker.ts';
import { UnusableFiles } from './unusable-files.ts';

/** The thread that PostgreSQL runs in. One that died is replaced when the next connection is asked for. */
export class EmbeddedServer implements AsyncDisposable {
  readonly #directory: string;
  readonly #locks = new DisposableStack();
  readonly #log: Logger;
  readonly #ready: Promise<void>;
  #worker: Worker | undefined;
  /** Resolves when the last thread has ended and the files are free. */
  #ended: Promise<void> = Promise.resolve();
  #closing = false;
  /** It has come up once: until then the caller that opens it is told what goes wrong. */
  #serves = false;

  private constructor(directory: string, lock: Disposable, log: Logger) {
    this.#directory = directory;
    this.#locks.use(lock);
    this.#log = log;
    this.#ready = this.#started();
    // It is told to who asks whether it is ready.
    this.#ready.catch(() => undefined);
  }

  /**
   * Begins to start PostgreSQL on the files in `<dataDirectory>/database`, which are made at the first start, and held until
   * it is disposed.
   * @throws {FileLocked} {UnusableFiles}
   */
  static async begin(dataDirectory: string, log: Logger): Promise<EmbeddedServer> {
    const directory = join(dataDirectory, 'database');
    await mkdir(dataDirectory, { recursive: true });
    const lock = lockFileOrThrow(`${directory}.lock`);
    try {
      await createDataFiles(directory, log);
      return new EmbeddedServer(directory, lock, log);
    } catch (error) {
      lock[Symbol.dispose]();
      throw new UnusableFiles(directory, error);
    }
  }

  /** Resolves when PostgreSQL has started. @throws {UnusableFiles} */
  async ready(): Promise<void> {
    try {
      await this.#ready;
      this.#serves = true;
    } catch (error) {
      throw new UnusableFiles(this.#directory, error);
    }
  }

  /** A connection, for pg to speak over. `onSent` is told how many bytes it says. */
  connect(onSent: (bytes: number) => void): EmbeddedStream {
    const { port1, port2: port } = new MessageChannel();
    const stream = new EmbeddedStream(port1, onSent);
    const serve = (): void => post(this.#worker ?? this.#start(), port);
    if (this.#worker === undefined) void this.#ended.then(serve);
    else serve();
    return stream;
  }

  /** More than once does no harm. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    if (this.#worker !== undefined) post(this.#worker, null);
    await this.#ended;
    this.#locks.dispose();
  }

  async #started(): Promise<void> {
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const worker = this.#start();
    worker.once('message', () => resolve());
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`exit code ${code}`)));
    await ready;
  }

  #start(): Worker {
    const workerData: EmbeddedWorkerData = { directory: this.#directory };
    const worker = new Worker(new URL('embedded-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: databaseThreadLimits,
    });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#worker = worker;
    this.#ended = ended;
    worker.on('error', (error) => this.#lose(worker, problemText(error)));
    worker.on('exit', (code) => {
      this.#lose(worker, `exit code ${code}`);
      resolve();
    });
    return worker;
  }

  #lose(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (!this.#closing && this.#serves)
      this.#log.error('The embedded database stopped; the next query starts it again', { reason });
  }
}

function post(worker: Worker, message: EmbeddedWorkerMessage): void {
  worker.postMessage(message, message === null ? [] : [message]);
}
