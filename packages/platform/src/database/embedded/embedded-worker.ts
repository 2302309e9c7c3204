/**
 * The embedded PostgreSQL, alone in its thread so that a long batch never holds up the event loop
 * of the traffic. Each connection is a MessagePort that carries PostgreSQL's wire protocol as it
 * is. There is one session, so a new connection first wipes what the one before left in it.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DataFiles } from './data-files.ts';
import { memoryParameters } from './memory-parameters.ts';

export interface EmbeddedWorkerData {
  /** Folder of the database's files. */
  readonly directory: string;
}

/** What the main thread sends: a new connection, or null to close. The worker's only answer is that it is ready. */
export type EmbeddedWorkerMessage = MessagePort | null;

const { directory } = workerData as EmbeddedWorkerData;
const files = new DataFiles(directory);
const explain = (error: unknown): unknown =>
  files.problem === undefined ? error : new Error(files.problem, { cause: error });

const database = await PGlite.create({
  fs: files,
  startParams: [...PGlite.defaultStartParams, ...memoryParameters],
}).catch((error: unknown) => {
  throw explain(error);
});
files.serve();

let last: Promise<unknown> = Promise.resolve();
/** Runs the steps one by one. A step that throws ends the thread: only a broken PostgreSQL throws, errors in SQL are answers. */
const enqueue = (step: () => Promise<unknown>): void => {
  last = last.then(step).catch((error: unknown) => {
    throw explain(error);
  });
};

function serve(port: MessagePort): void {
  const answer = new Answer(port);
  enqueue(() => database.exec('rollback'));
  enqueue(() => database.exec('discard all'));
  port.on('message', (request: Uint8Array) =>
    enqueue(() => database.execProtocolRawStream(request, answer).finally(() => answer.send())),
  );
}

/** Gathers what PostgreSQL says, since each message wakes the other thread. */
class Answer {
  readonly #connection: MessagePort;
  readonly #bytes = new Uint8Array(65_536);
  #length = 0;

  constructor(connection: MessagePort) {
    this.#connection = connection;
  }

  readonly onRawData = (bytes: Uint8Array): void => {
    if (this.#length + bytes.length > this.#bytes.length) this.send();
    if (bytes.length > this.#bytes.length) this.#post(bytes);
    else {
      this.#bytes.set(bytes, this.#length);
      this.#length += bytes.length;
    }
  };

  send(): void {
    if (this.#length > 0) this.#post(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }

  #post(bytes: Uint8Array): void {
    const copy = bytes.slice();
    this.#connection.postMessage(copy, [copy.buffer]);
  }
}

parentPort?.on('message', (message: EmbeddedWorkerMessage) => {
  if (message !== null) return serve(message);
  enqueue(() => database.close());
  enqueue(async () => process.exit(0));
});
parentPort?.postMessage('ready');
