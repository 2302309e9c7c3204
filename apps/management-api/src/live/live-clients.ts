import type { LiveEvent } from '@portcullis/contracts/events';
import type { LiveEventType } from '@portcullis/contracts/live-events';
import { WebSocket } from 'ws';
import type { Login } from '@portcullis/platform/identity/identity';
import type { SessionsEnded } from '@portcullis/platform/identity/sessions';
import { closeCodes, LiveClient, type ClientLimits } from './live-client.ts';

/** The signed-in clients of `/ws`. */
export class LiveClients {
  readonly #clients = new Set<LiveClient>();
  readonly #limits: ClientLimits;

  constructor(limits: ClientLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#clients.size;
  }

  /** Undefined when it has gone while its token was looked at. */
  add(socket: WebSocket, login: Login): LiveClient | undefined {
    if (socket.readyState !== WebSocket.OPEN) return undefined;
    const client = new LiveClient(socket, login, this.#limits);
    this.#clients.add(client);
    socket.once('close', () => this.#clients.delete(client));
    return client;
  }

  /** Whether one of them would be sent events of a type. */
  wants(type: LiveEventType): boolean {
    for (const client of this.#clients) if (client.wants(type)) return true;
    return false;
  }

  broadcast(event: LiveEvent): void {
    const text = JSON.stringify(event);
    for (const client of this.#clients) client.send(event, text);
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

  checkAll(nowMs: number): void {
    for (const client of this.#clients) client.check(nowMs);
  }
}
