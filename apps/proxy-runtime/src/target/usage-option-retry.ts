import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/exchange.ts';

/** Statuses with which APIs refuse a field that they do not know. */
const refusals = new Set([400, 422]);
/** A longer body says more than that a field is unknown. */
const maxRefusalBytes = 65_536;
const namesOption = /stream_options|include_usage/;

type Controller = Dispatcher.DispatchController;

interface HeldAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: Buffer[];
  bytes: number;
}

/**
 * Stands before a target's answer to a request that was made to ask for its usage. A target that refuses the
 * request because of that question, before a model worked for it, gets it once more as the client wrote it.
 */
export class UsageOptionRetry implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #answer: Dispatcher.DispatchHandler;
  readonly #resend: (handler: Dispatcher.DispatchHandler) => void;
  #held: HeldAnswer | undefined;
  #resent = false;

  /** @param resend sends the request as the exchange has it now */
  constructor(
    exchange: Exchange,
    answer: Dispatcher.DispatchHandler,
    resend: (handler: Dispatcher.DispatchHandler) => void,
  ) {
    this.#exchange = exchange;
    this.#answer = answer;
    this.#resend = resend;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.#answer.onRequestStart?.(controller, context);
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders, message?: string): void {
    if (!this.#resent && refusals.has(status)) {
      this.#held = { status, headers, chunks: [], bytes: 0 };
      return;
    }
    // What it took without the question it refused because of it.
    if (this.#resent && status < 400) this.#exchange.originalBody?.refused();
    this.#exchange.originalBody = undefined;
    this.#answer.onResponseStart?.(controller, status, headers, message);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#held === undefined) return this.#answer.onResponseData?.(controller, chunk);
    this.#held.chunks.push(chunk);
    this.#held.bytes += chunk.length;
    if (this.#held.bytes > maxRefusalBytes) this.#letGo(controller);
  }

  onResponseEnd(controller: Controller, trailers: IncomingHttpHeaders): void {
    if (this.#held !== undefined && namesOption.test(Buffer.concat(this.#held.chunks).toString('latin1'))) {
      this.#held = undefined;
      this.#resent = true;
      this.#takeBack();
      this.#resend(this);
      return;
    }
    this.#letGo(controller);
    this.#answer.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Controller, error: Error): void {
    this.#letGo(controller);
    this.#answer.onResponseError?.(controller, error);
  }

  #takeBack(): void {
    const { originalBody } = this.#exchange;
    if (originalBody !== undefined) this.#exchange.body.amend(originalBody.body);
    this.#exchange.hidesUsage = false;
  }

  #letGo(controller: Controller): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    this.#answer.onResponseStart?.(controller, held.status, held.headers);
    for (const chunk of held.chunks) this.#answer.onResponseData?.(controller, chunk);
  }
}
