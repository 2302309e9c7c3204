import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** A MessagePort that pg takes for a socket. */
export class EmbeddedStream extends Duplex {
  readonly #port: MessagePort;
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

  override _read(): void {}

  /** pg corks the messages of one query, so they cross to the worker together. */
  override _writev(chunks: readonly { chunk: Buffer }[], done: () => void): void {
    // Memory of its own: a buffer may be a part of Node's pool, of which all would be copied.
    const bytes = new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    this.#onSent(bytes.length);
    this.#port.postMessage(bytes, [bytes.buffer]);
    done();
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
