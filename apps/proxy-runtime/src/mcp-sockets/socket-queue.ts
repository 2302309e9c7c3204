import type { WebSocket } from 'ws';

export interface SocketMessage {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
  /** Of the memory for large bodies. */
  readonly heldBytes: number;
}

/**
 * One direction of a relay: messages are handled one after the other, and their sender waits while
 * one is under way.
 */
export class SocketQueue {
  readonly #source: WebSocket;
  readonly #handle: (message: SocketMessage) => void | Promise<void>;
  readonly #waiting: SocketMessage[] = [];
  #busy = false;

  constructor(source: WebSocket, handle: (message: SocketMessage) => void | Promise<void>) {
    this.#source = source;
    this.#handle = handle;
  }

  push(message: SocketMessage): void {
    this.#waiting.push(message);
    if (this.#busy) this.#source.pause();
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const waits = this.#handle(next);
      if (waits !== undefined) await waits;
    }
    this.#busy = false;
    this.#source.resume();
  }
}
