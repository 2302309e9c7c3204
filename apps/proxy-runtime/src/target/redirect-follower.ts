import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/exchange.ts';
import { findNextPath } from './answer-addresses.ts';

type Controller = Dispatcher.DispatchController;

/** What is read of a redirect's body, so that its connection can be used again. */
const maxRedirectBytes = 65_536;

/** Stands before the answer of an MCP server, and repeats the request once where it redirects within the proxy. */
export class RedirectFollower implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #answer: Dispatcher.DispatchHandler;
  readonly #resend: (handler: Dispatcher.DispatchHandler) => void;
  /** What comes belongs to a redirect that is followed. */
  #isRedirect = false;
  #hasFollowed = false;

  /** @param resend sends the request to the path that the exchange has now */
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
    const next = this.#hasFollowed ? undefined : findNextPath(this.#exchange, status, headers.location);
    if (next === undefined) return this.#answer.onResponseStart?.(controller, status, headers, message);
    this.#hasFollowed = true;
    this.#isRedirect = true;
    this.#exchange.targetPath = next;
    const bytes = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (!(bytes <= maxRedirectBytes)) controller.abort(new Error('the body of a redirect is not read'));
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (!this.#isRedirect) this.#answer.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Controller, trailers: IncomingHttpHeaders): void {
    if (this.#isRedirect) this.#follow();
    else this.#answer.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Controller, error: Error): void {
    if (this.#isRedirect) this.#follow();
    else this.#answer.onResponseError?.(controller, error);
  }

  #follow(): void {
    this.#isRedirect = false;
    this.#resend(this);
  }
}
