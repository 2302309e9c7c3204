import { askedForOnly, liveEvents, type LiveEventType, type SystemEvent } from '@portcullis/contracts/live-events';
import type { LiveEvent } from '@portcullis/contracts/events';
import { WebSocket, type RawData } from 'ws';
import type { Login } from '@portcullis/platform/identity/identity';
import { liveFilterForm, parseLiveFilter, passesFilter, type LiveFilter } from './live-filter.ts';

/** Close codes: the standard one for a policy, the one for "going away". */
export const closeCodes = { policy: 1008, goingAway: 1001 } as const;

export interface ClientLimits {
  /** Unsent bytes after which a client is cut: it would cost memory without end. */
  readonly maxBufferedBytes: number;
  /** How long a client may take none of what it is sent. */
  readonly writeTimeoutMs: number;
  /** How long it may send nothing, not even a pong. */
  readonly idleMs: number;
  readonly messagesPerSecond: number;
}

/** One signed-in client of `/ws`. */
export class LiveClient {
  readonly socket: WebSocket;
  readonly login: Login;
  readonly #limits: ClientLimits;
  /** False from a ping until its pong. */
  #alive = true;
  // By a clock that is never set, unlike the end of the login.
  #heardAtMs = performance.now();
  /** Messages that wait to be sent, and since when none of them left. */
  #unsent = 0;
  #stuckSinceMs = 0;
  /** The current second, and the messages that came in it. */
  #second = 0;
  #messages = 0;
  #wanted: ReadonlySet<string> | undefined;
  #filter: LiveFilter | undefined;

  constructor(socket: WebSocket, login: Login, limits: ClientLimits) {
    this.socket = socket;
    this.login = login;
    this.#limits = limits;
    socket.on('pong', () => {
      this.#alive = true;
      this.#heardAtMs = performance.now();
    });
    socket.on('message', (data) => this.#hear(data));
  }

  /** Sends an event that the client has not opted out of, as text; a client that does not take what it is sent is cut. */
  send(event: LiveEvent, text: string): void {
    const { socket } = this;
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > this.#limits.maxBufferedBytes || this.#isStuck()) {
      socket.terminate();
    } else if (this.wants(event.type) && (this.#filter === undefined || passesFilter(this.#filter, event))) {
      this.#write(text);
    }
  }

  /** Whether it would be sent events of a type. */
  wants(type: LiveEventType): boolean {
    return this.#wanted === undefined ? !askedForOnly.has(type) : this.#wanted.has(type);
  }

  /** Tells this client alone. */
  notify(event: Omit<SystemEvent, 'timestamp' | 'severity'>): void {
    const payload: SystemEvent = { ...event, severity: 'Low', timestamp: new Date().toISOString() };
    this.#write(JSON.stringify({ type: 'system_event', payload } satisfies LiveEvent));
  }

  /** Cuts it when it gives no sign of life, says goodbye when its login has expired, else asks for the next sign. */
  check(nowMs: number): void {
    if (!this.#alive || this.#isStuck() || performance.now() - this.#heardAtMs > this.#limits.idleMs) {
      this.socket.terminate();
    } else if (this.login.expiresAtMs <= nowMs) {
      this.socket.close(closeCodes.policy, 'The token has expired');
    } else {
      this.#alive = false;
      this.socket.ping();
    }
  }

  #write(text: string): void {
    if (this.#unsent === 0) this.#stuckSinceMs = performance.now();
    this.#unsent += 1;
    this.socket.send(text, () => {
      this.#unsent -= 1;
      this.#stuckSinceMs = performance.now();
    });
  }

  #isStuck = (): boolean => this.#unsent > 0 && performance.now() - this.#stuckSinceMs > this.#limits.writeTimeoutMs;

  #hear(data: RawData): void {
    const nowMs = performance.now();
    this.#heardAtMs = nowMs;
    const second = Math.floor(nowMs / 1_000);
    this.#messages = second === this.#second ? this.#messages + 1 : 1;
    this.#second = second;
    if (this.#messages > this.#limits.messagesPerSecond) {
      this.socket.close(closeCodes.policy, 'Too many messages');
      return;
    }
    this.#obey(parseMessage(data));
  }

  #obey(message: Readonly<Record<string, unknown>> | undefined): void {
    // Some clients send the token twice, in the query and as a message.
    if (message?.['type'] === 'auth') return;
    const types = message?.['type'] === 'subscribe' ? message['types'] : undefined;
    const filter = parseLiveFilter(message?.['filter'] ?? {});
    const isKnown = (type: unknown) => typeof type === 'string' && Object.hasOwn(liveEvents, type);
    if (!Array.isArray(types) || !types.every(isKnown) || filter === undefined) {
      const known = Object.keys(liveEvents).join(', ');
      this.notify({
        event: 'session.message_refused',
        message: `Understood is {"type":"subscribe","types":[...]} with types out of ${known}, and beside them a "filter" such as ${liveFilterForm}`,
      });
      return;
    }
    this.#wanted = new Set(types as string[]);
    this.#filter = filter;
    this.notify({ event: 'session.subscribed', message: 'Subscribed', details: { types: [...this.#wanted] } });
  }
}

/** The object that a client sent as JSON. */
export function parseMessage(data: RawData): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = Buffer.isBuffer(data) ? JSON.parse(data.toString()) : undefined;
    return typeof message === 'object' && message !== null ? { ...message } : undefined;
  } catch {
    return undefined;
  }
}
