import { WebSocket } from 'ws';
import type { Login } from '../auth/identity.ts';
import type { SessionsEnded } from '../auth/sessions.ts';

interface Client {
  readonly socket: WebSocket;
  readonly login: Login;
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

  add(socket: WebSocket, login: Login): void {
    // It may have gone while its token was looked at.
    if (socket.readyState !== WebSocket.OPEN) return;
    const client: Client = { socket, login, alive: true };
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

  /** Says goodbye to the clients of sessions that have ended. */
  closeEnded({ userId, sessionId, but }: SessionsEnded): void {
    this.#closeWhere(
      ({ caller, ...login }) =>
        caller.id === userId && login.sessionId !== but && (sessionId ?? login.sessionId) === login.sessionId,
    );
  }

  /** Says goodbye to the clients of all sessions but these, of those that were asked about. */
  keepOnly(lasting: ReadonlySet<string>, asked: readonly string[]): void {
    this.#closeWhere(({ sessionId }) => asked.includes(sessionId) && !lasting.has(sessionId));
  }

  get sessionIds(): readonly string[] {
    return [...new Set([...this.#clients].map(({ login }) => login.sessionId))];
  }

  #closeWhere(ended: (login: Login) => boolean): void {
    for (const { socket, login } of this.#clients) {
      if (ended(login)) socket.close(closeCodes.policy, 'The session has ended');
    }
  }

  /** Cuts who did not answer the last ping, says goodbye to whose login has expired, pings the others. */
  checkAll(nowMs: number): void {
    for (const client of this.#clients) {
      if (!client.alive) {
        client.socket.terminate();
      } else if (client.login.expiresAtMs <= nowMs) {
        client.socket.close(closeCodes.policy, 'The token has expired');
      } else {
        client.alive = false;
        client.socket.ping();
      }
    }
  }
}
