import { WebSocket } from 'ws';

interface Client {
  readonly socket: WebSocket;
  readonly expiresAtMs: number;
  /** False from a ping until its pong. */
  alive: boolean;
}

/** Unsent bytes after which a client is cut: it would cost memory without end. */
const maxBufferedBytes = 1_048_576;

/** Close codes: the standard one for a policy, the one for "going away". */
export const closeCodes = { policy: 1008, goingAway: 1001 } as const;

/** The signed-in clients of `/ws`. */
export class LiveClients {
  readonly #clients = new Set<Client>();

  add(socket: WebSocket, expiresAtMs: number): void {
    // It may have gone while its token was looked at.
    if (socket.readyState !== WebSocket.OPEN) return;
    const client: Client = { socket, expiresAtMs, alive: true };
    this.#clients.add(client);
    socket.on('pong', () => (client.alive = true));
    socket.once('close', () => this.#clients.delete(client));
  }

  /** Sends one text to all; a client that does not take what it is sent is cut. */
  broadcast(text: string): void {
    for (const { socket } of this.#clients) {
      if (socket.bufferedAmount > maxBufferedBytes) socket.terminate();
      else socket.send(text);
    }
  }

  /** Cuts who did not answer the last ping, says goodbye to whose login has expired, pings the others. */
  checkAll(nowMs: number): void {
    for (const client of this.#clients) {
      if (!client.alive) {
        client.socket.terminate();
      } else if (client.expiresAtMs <= nowMs) {
        client.socket.close(closeCodes.policy, 'The token has expired');
      } else {
        client.alive = false;
        client.socket.ping();
      }
    }
  }
}
