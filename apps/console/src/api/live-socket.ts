import { socketAddress } from './console-address.ts';

export type LiveState = 'connecting' | 'live' | 'lost';
type Listener = (payload: unknown) => void;

const firstPauseMs = 500;
const longestPauseMs = 15_000;

interface SocketListeners {
  /** Something may have been missed. */
  reconnect(): void;
  /** It could not be opened: perhaps since the session has ended. */
  failed(): void;
}

/** One socket for the whole console, from sign-in to sign-out, opened again whenever it is lost. */
export class LiveSocket {
  #socket: WebSocket | undefined;
  #pauseMs = firstPauseMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: LiveState = 'connecting';
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #stateListeners = new Set<() => void>();
  readonly #on: SocketListeners;

  constructor(on: SocketListeners) {
    this.#on = on;
  }

  readonly state = (): LiveState => this.#state;

  readonly subscribeState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  subscribe(type: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  open(): void {
    if (this.#socket !== undefined) return;
    const socket = new WebSocket(socketAddress());
    this.#socket = socket;
    socket.addEventListener('open', () => {
      if (this.#socket !== socket) return socket.close();
      const lost = this.#state === 'lost';
      this.#pauseMs = firstPauseMs;
      this.#enter('live');
      if (lost) this.#on.reconnect();
    });
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (this.#state !== 'live') this.#on.failed();
      this.#enter('lost');
      this.#timer = setTimeout(() => this.open(), this.#pauseMs * (0.5 + Math.random()));
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#state = 'connecting';
    // One that is not open yet closes when it is: closed at once, browsers report it as an error.
    if (socket?.readyState !== WebSocket.CONNECTING) socket?.close();
  }

  #receive(text: string): void {
    let message: { readonly type?: unknown; readonly payload?: unknown };
    try {
      message = JSON.parse(text) as typeof message;
    } catch {
      return;
    }
    for (const listener of this.#listeners.get(String(message.type)) ?? []) listener(message.payload);
  }

  #enter(state: LiveState): void {
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }
}
