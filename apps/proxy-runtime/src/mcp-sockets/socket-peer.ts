import type { RawData, WebSocket } from 'ws';
import type { MessageMemory } from './message-memory.ts';
import { SocketQueue, type SocketMessage } from './socket-queue.ts';

/** Bytes on their way to a peer beyond which nothing more is read for it. */
const maxBufferedBytes = 1_048_576;
const pingEveryMs = 30_000;

/** One end of a relay: takes no more than it can send on, and is asked for a sign of life. */
export class SocketPeer {
  readonly #socket: WebSocket;
  readonly #stallMs: number;
  readonly #memory: MessageMemory | undefined;

  /**
   * @param stallMs how long it may take nothing of what it is sent
   * @param memory for what it sends; not counted unless given
   */
  constructor(socket: WebSocket, stallMs: number, memory?: MessageMemory) {
    this.#socket = socket;
    this.#stallMs = stallMs;
    this.#memory = memory;
  }

  /** Messages come one after the other, and none while one is being handled. */
  listen(
    handle: (message: SocketMessage) => void | Promise<void>,
    onClose: (code: number, reason: Buffer) => void,
  ): void {
    const queue = new SocketQueue(this.#socket, handle);
    this.#socket.on('message', (data, isBinary) => {
      queue.push({ bytes: toBuffer(data), isBinary, heldBytes: this.#memory?.complete() ?? 0 });
    });
    this.#socket.on('close', onClose);
  }

  /** Cuts it when it is silent even when asked for a sign of life; answers what ends this. */
  keepAlive(): () => void {
    const socket = this.#socket;
    let alive = true;
    socket.on('pong', () => {
      alive = true;
    });
    const timer = setInterval(() => {
      if (!alive && !socket.isPaused) return socket.terminate();
      alive = false;
      socket.ping();
    }, pingEveryMs).unref();
    return () => clearInterval(timer);
  }

  /** Resolves, where a peer takes slower than it is sent, when it has taken it. */
  send(bytes: Buffer, isBinary = false): void | Promise<void> {
    const socket = this.#socket;
    if (bytes.length === 0 || socket.readyState !== socket.OPEN) return undefined;
    if (socket.bufferedAmount <= maxBufferedBytes) {
      socket.send(bytes, { binary: isBinary });
      return undefined;
    }
    return new Promise((resolve) => {
      const cut = setTimeout(() => socket.terminate(), this.#stallMs).unref();
      socket.send(bytes, { binary: isBinary }, () => {
        clearTimeout(cut);
        resolve();
      });
    });
  }
}

const toBuffer = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
};
