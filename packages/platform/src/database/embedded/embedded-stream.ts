import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { Handover } from './handover.ts';

/** Bytes of PostgreSQL's protocol, or how many of them are in the handover. */
export type EmbeddedRequest = Uint8Array | number;

/** A MessagePort that pg takes for a socket. */
export class EmbeddedStream extends Duplex {
  readonly #port: MessagePort;
  readonly #handover = new Handover();

  readonly #onSent: (bytes: number) => void;

  constructor(port: MessagePort, onSent: (bytes: number) => void) {
    super();
    this.#port = port;
    this.#onSent = onSent;
    port.on('message', (chunk: Uint8Array) => this.push(Buffer.from(chunk.buffer)));
    port.on('close', () => this.destroy(this.writableEnded ? undefined : new Error('the embedded database stopped')));
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** For the other end, see {@link Handover}. */
  get memory(): SharedArrayBuffer {
    return this.#handover.memory;
  }

  override _read(): void {}

  /** pg corks the messages of one query, so they cross to the worker together. */
  override _writev(chunks: readonly { chunk: Buffer }[], done: () => void): void {
    const pieces = chunks.map(({ chunk }) => chunk);
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.#send(this.#handover.put(pieces, length) ? length : Buffer.concat(pieces, length));
    this.#onSent(length);
    done();
  }

  #send(message: EmbeddedRequest): void {
    this.#port.postMessage(message);
  }

  override _final(done: () => void): void {
    this.#port.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close();
    done(error);
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}
