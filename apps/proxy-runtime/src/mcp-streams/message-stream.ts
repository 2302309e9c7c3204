import type { ErrorReason } from '@portcullis/contracts/errors';
import type { Exchange } from '../exchange/exchange.ts';
import type { ResponseWriter } from '../client/response-writer.ts';
import { noContent, type StreamUnit } from '../framing/stream-unit.ts';
import { renderListChanged } from './list-changed.ts';
import { isStanding } from './stream-kind.ts';
import type { LegacySseStreams } from './legacy-sse-streams.ts';
import type { StandingStream, StandingStreams } from './standing-streams.ts';

export interface MessageStreamParts {
  readonly exchange: Exchange;
  readonly writer: ResponseWriter;
  /** Those of the port that the exchange came to. */
  readonly standing: StandingStreams;
  readonly legacySse: LegacySseStreams;
  /** How long it may be silent towards its client, in milliseconds. */
  readonly keepAliveMs: number;
  /** Ends it, without a word about why; @param reason for the records, where its client may not have it any more */
  readonly end: (reason?: ErrorReason) => void;
}

/** A comment: no client takes it for a message. */
const keepAlive: StreamUnit = {
  bytes: Buffer.from(': keep-alive\n\n'),
  form: 'event',
  content: noContent,
  terminal: false,
};

/** A stream of messages towards its client, as far as the gateway itself has something to say on it. */
export class MessageStream {
  readonly #parts: MessageStreamParts;
  readonly #silence: NodeJS.Timeout;
  #left: (() => void) | undefined;
  #unannounce: (() => void) | undefined;
  #over = false;

  /** Opens it: its client is to know that it is there, however long nothing is said. */
  constructor(parts: MessageStreamParts) {
    this.#parts = parts;
    parts.writer.open();
    this.#silence = setTimeout(() => this.#breakSilence(), parts.keepAliveMs).unref();
  }

  /** Lets it go on for as long as its client may have it, where it has no end of its own. */
  stand(): void {
    const { exchange, standing } = this.#parts;
    if (!isStanding(exchange)) return;
    const left = standing.add(this.#render());
    if (this.#over) left();
    else this.#left = left;
  }

  /** Something was said to the client. */
  spoke(): void {
    this.#silence.refresh();
  }

  /** From now on the client of the legacy SSE transport may be answered here, if an endpoint was announced to it. */
  announce(): void {
    const { exchange, legacySse } = this.#parts;
    if (exchange.announcedEndpoint === undefined || this.#unannounce !== undefined) return;
    this.#unannounce = legacySse.add(exchange, exchange.announcedEndpoint, (message) => this.#say(message));
  }

  /** It has ended. */
  close(): void {
    this.#over = true;
    clearTimeout(this.#silence);
    this.#left?.();
    this.#unannounce?.();
  }

  #render(): StandingStream {
    const { exchange, end } = this.#parts;
    return {
      exchange,
      leave: () => end(),
      outdate: () => end(),
      expel: end,
      announceTools: () => {
        const message = renderListChanged(exchange);
        if (message !== undefined) this.#say(message);
      },
    };
  }

  /** Clients and what stands between take a long silence for the end; and a client that has gone is found out. */
  #breakSilence(): void {
    const { exchange, writer } = this.#parts;
    this.#silence.refresh();
    // The first thing that such a client hears is that its server has heard it.
    const isUnheard = exchange.responseBytes === 0 && exchange.json !== undefined && isStanding(exchange);
    if (!isUnheard && !writer.congested) this.#send(keepAlive);
  }

  #say(message: object): void {
    const bytes = Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    this.#send({ bytes, form: 'event', content: noContent, terminal: false });
  }

  #send(unit: StreamUnit): void {
    if (!this.#over) this.#parts.writer.send([unit]);
  }
}
