import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** A MessagePort that pg takes for a socket. */
export class EmbeddedStream extends Duplex {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
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
    let length = 0;
    for (const { chunk } of chunks) length += chunk.length;
    // Memory of its own, which goes to the worker as it is; it comes cheaper than what is not filled with zeros.
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const { chunk } of chunks) at += chunk.copy(bytes, at);
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
