import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FairShare } from '@portcullis/platform/http/fair-share';
import { uncountedBytes } from '@portcullis/platform/http/receive-body';

/** What is around the payload of a ping or a pong of a client: two bytes and the mask. */
const controlFrameBytes = 6;

/**
 * The memory that messages of one client take, of that for large bodies: from when they begin to come, in however many
 * fragments, until they are settled.
 */
export class MessageMemory {
  readonly #memory: FairShare;
  readonly #keyId: number;
  /** Of the message that has begun. */
  #bytes = 0;
  #taken = 0;

  constructor(memory: FairShare, keyId: number) {
    this.#memory = memory;
    this.#keyId = keyId;
  }

  /**
   * Counts from now on.
   * @param socket the connection of the client
   * @param onRefused called once, when there is no memory left for what comes; nothing more of it is read then
   */
  watch(socket: Duplex, client: WebSocket, onRefused: () => void): void {
    // In front of the parser of frames: a message that ends with these bytes has them counted.
    socket.prependListener('data', (chunk: Buffer) => {
      if (this.#count(chunk.length)) return;
      socket.removeAllListeners('data');
      socket.resume();
      onRefused();
      // Its parser takes no goodbye any more, so the connection would stay open for that.
      socket.end();
    });
    const leaveOut = (payload: Buffer): void => void this.#count(-payload.length - controlFrameBytes);
    client.on('ping', leaveOut).on('pong', leaveOut);
    client.once('close', () => this.giveBack(this.complete()));
  }

  /** @returns whether there is memory for it */
  #count(bytes: number): boolean {
    this.#bytes += bytes;
    const due = Math.max(0, this.#bytes - uncountedBytes) - this.#taken;
    if (due > 0 && !this.#memory.take(this.#keyId, due)) return false;
    if (due < 0) this.#memory.give(this.#keyId, -due);
    this.#taken += due;
    return true;
  }

  /** The message that has begun is complete. @returns what it took, for its holder to give back */
  complete(): number {
    const taken = this.#taken;
    this.#bytes = 0;
    this.#taken = 0;
    return taken;
  }

  giveBack(bytes: number): void {
    if (bytes > 0) this.#memory.give(this.#keyId, bytes);
  }
}
