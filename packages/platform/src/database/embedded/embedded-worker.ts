/**
 * The embedded PostgreSQL, alone in its thread so that a long batch never holds up the event loop
 * of the traffic. Each connection is a MessagePort that carries PostgreSQL's wire protocol as it
 * is. There is one session, so a new connection first wipes what the one before left in it.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

export interface EmbeddedWorkerData {
  /** Folder of the database's files. */
  readonly directory: string;
}

/** What the main thread sends: a new connection, or null to close. The worker's only answer is that it is ready. */
export type EmbeddedWorkerMessage = MessagePort | null;

const { directory } = workerData as EmbeddedWorkerData;
const database = await PGlite.create({ dataDir: directory });

let last: Promise<unknown> = Promise.resolve();
/** Runs the steps one by one. A step that throws ends the thread: only a broken PostgreSQL throws, errors in SQL are answers. */
const enqueue = (step: () => Promise<unknown>): void => {
  last = last.then(step);
};

function serve(connection: MessagePort): void {
  const onRawData = (chunk: Uint8Array): void => {
    const copy = chunk.slice();
    connection.postMessage(copy, [copy.buffer]);
  };
  enqueue(() => database.exec('rollback'));
  enqueue(() => database.exec('discard all'));
  connection.on('message', (bytes: Uint8Array) => enqueue(() => database.execProtocolRawStream(bytes, { onRawData })));
}

parentPort?.on('message', (message: EmbeddedWorkerMessage) => {
  if (message !== null) return serve(message);
  enqueue(() => database.close());
  enqueue(async () => process.exit(0));
});
parentPort?.postMessage('ready');
