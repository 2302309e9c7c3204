import { hash } from 'node:crypto';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Exchange } from '../exchange/exchange.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';

type Send = (message: object) => void;

interface ForwardedMessage {
  readonly stream: string;
  readonly message: object;
}

const topic = 'mcp-legacy-sse-streams';

/**
 * The open streams of the transport of 2024-11-05, by the endpoint that was announced on each: answers to
 * what is posted there come on the stream. A message and its stream may be with different processes, so
 * what is to be said on a stream of another client goes over the bus.
 */
export class LegacySseStreams {
  readonly #streams = new Map<string, Send>();
  readonly #bus: Bus | undefined;

  /** @param bus absent where all streams are in this process */
  constructor(bus?: Bus) {
    this.#bus = bus;
  }

  /** Hears of what other processes have to say on streams of this one, until what it answers is called. */
  listen(): Promise<() => Promise<void>> {
    const hear = (heard: unknown): void => {
      const { stream, message } = heard as ForwardedMessage;
      this.#streams.get(stream)?.(message);
    };
    return this.#bus?.subscribe(topic, hear) ?? Promise.resolve(() => Promise.resolve());
  }

  /** @returns to be called when the stream has ended */
  add(exchange: Exchange, endpoint: string, send: Send): () => void {
    const name = nameOf(exchange, endpoint);
    this.#streams.set(name, send);
    return () => {
      if (this.#streams.get(name) === send) this.#streams.delete(name);
    };
  }

  /**
   * Says something to the sender of a message on the stream where he waits for answers.
   * @returns whether it could be said; for a stream of another process, whether it could be passed on
   */
  send(exchange: Exchange, message: object): boolean | Promise<boolean> {
    if (exchange.endpoint === undefined || exchange.request.method !== 'POST') return false;
    const stream = nameOf(exchange, exchange.endpoint);
    const send = this.#streams.get(stream);
    if (send === undefined) return this.#passOn({ stream, message });
    send(message);
    return true;
  }

  #passOn(forwarded: ForwardedMessage): boolean | Promise<boolean> {
    return (
      this.#bus?.publish(topic, forwarded).then(
        () => true,
        () => false,
      ) ?? false
    );
  }
}

/** No client is answered on the stream of another key. The endpoint itself concerns no other client. */
const nameOf = (exchange: Exchange, endpoint: string): string =>
  hash('sha256', `${exchange.proxy.id} ${callerNumber(exchange)} ${endpoint}`, 'base64url');
