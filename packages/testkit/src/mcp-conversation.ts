import { isObject } from './is-object.ts';

export type Message = Readonly<Record<string, unknown>>;

/** The way from the server to the client. */
export interface Voice {
  readonly send: (message: Message) => void;
  readonly close: () => void;
}

/** What a server and one client say to each other, on any transport. */
export class Conversation {
  readonly wire: string;
  readonly id: string;
  /** Messages of the client, oldest first. */
  readonly heard: Message[] = [];
  ended = false;
  readonly #reply: (message: Message) => object;
  readonly #asked = new Map<string, (answer: Message) => void>();
  /** What was said while there was no listener. */
  readonly #unsaid: Message[] = [];
  #voice: Voice | undefined;

  /** @param reply what stands in the answer to a request of the client beside its id */
  constructor(wire: string, id: string, reply: (message: Message) => object) {
    this.wire = wire;
    this.id = id;
    this.#reply = reply;
  }

  /** Whether the server can say something of its own now. */
  get canSpeak(): boolean {
    return this.#voice !== undefined;
  }

  /** Asks the client, and resolves with its answer: a message with `result` or `error`. */
  ask(method: string, params: object): Promise<Message> {
    const id = `${this.id}-${this.#asked.size}`;
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#asked.set(id, resolve);
    this.say({ jsonrpc: '2.0', id, method, params });
    return promise;
  }

  notify(method: string, params: object): void {
    this.say({ jsonrpc: '2.0', method, params });
  }

  say(message: Message): void {
    if (this.#voice === undefined) this.#unsaid.push(message);
    else this.#voice.send(message);
  }

  /** Takes a message of the client and answers what to reply, if anything. */
  hear(message: unknown): Message | undefined {
    if (!isObject(message)) return { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };
    this.heard.push(message);
    const { id, method } = message;
    if (method === undefined) this.#asked.get(String(id))?.(message);
    if (method === undefined || id === undefined) return undefined;
    return { jsonrpc: '2.0', id, ...this.#reply(message) };
  }

  speakThrough(voice: Voice): void {
    this.#voice = voice;
    for (const message of this.#unsaid.splice(0)) voice.send(message);
  }

  fallSilent(): void {
    this.#voice = undefined;
    if (this.wire !== 'http') this.ended = true;
  }

  end(): void {
    this.ended = true;
    this.#voice?.close();
    this.#voice = undefined;
  }
}
