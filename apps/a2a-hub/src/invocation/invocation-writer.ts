import { errorCatalogue } from '@portcullis/contracts/errors';
import type { StreamEvent, Task } from '@portcullis/core/a2a/task';
import type { Spool } from '@portcullis/platform/spool/spool';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Failure, Outcome, Rendered } from '../surfaces/surface.ts';
import type { Invocation } from './invocation.ts';

export interface WriterParts {
  readonly spool: Pick<Spool, 'append'>;
  /** The settle stages, once. */
  readonly settle: (invocation: Invocation) => void;
  /** A caller that takes nothing for so long is cut. */
  readonly clientStallMs: number;
  /** How long a stream may be silent towards its caller. */
  readonly keepAliveMs: number;
}

/**
 * Answers one call, once. The last bytes leave only when what is recorded of the call is written: no answer outlives its
 * evidence.
 */
export class InvocationWriter {
  readonly #invocation: Invocation;
  readonly #response: ServerResponse;
  readonly #parts: WriterParts;
  #isOver = false;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(invocation: Invocation, response: ServerResponse, parts: WriterParts) {
    this.#invocation = invocation;
    this.#response = response;
    this.#parts = parts;
    response.once('close', () => this.#leave());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  outcome(outcome: Outcome): void {
    this.#answer(this.#invocation.replies.outcome(outcome));
  }

  /** Tells a failure: as a whole answer, or as the last event of a stream that has begun. */
  fail(failure: Omit<Failure, 'requestId'>, stage: string): void {
    if (this.#isOver) return;
    const invocation = this.#invocation;
    invocation.end(failure.reason, stage);
    const whole: Failure = { ...failure, requestId: invocation.id };
    if (!this.#response.headersSent) return this.#answer(invocation.replies.failure(whole));
    invocation.statusCode = errorCatalogue[failure.reason].status;
    this.#write(invocation.replies.failedEvent(whole));
    this.endStream();
  }

  beginStream(): void {
    if (this.#isOver) return;
    this.#invocation.statusCode = 200;
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store',
      'x-accel-buffering': 'no',
      'x-request-id': this.#invocation.id,
    });
    this.#response.flushHeaders();
    const { keepAliveMs } = this.#parts;
    this.#keepAlive = setInterval(() => this.#response.write(': keepalive\n\n'), keepAliveMs).unref();
  }

  /** Resolves when the caller takes more. */
  async event(event: StreamEvent, task: Task | undefined): Promise<void> {
    const invocation = this.#invocation;
    const data = invocation.replies.event(event, task);
    if (data === undefined || this.#isOver) return;
    invocation.firstEventMs ??= Math.round((performance.now() - invocation.startedAt) * 1_000) / 1_000;
    invocation.events += 1;
    if (!this.#write(data)) await this.#drained();
  }

  endStream(): void {
    this.#finish(() => this.#response.end());
  }

  #write(data: object): boolean {
    const text = `data: ${JSON.stringify(data)}\n\n`;
    this.#invocation.responseBytes += Buffer.byteLength(text);
    return this.#response.write(text);
  }

  async #drained(): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(this.#parts.clientStallMs), this.#invocation.caller.signal]);
    await once(this.#response, 'drain', { signal }).catch(() => void this.#response.destroy());
  }

  #answer({ status, headers = {}, body }: Rendered): void {
    if (this.#isOver) return;
    const bytes = Buffer.from(JSON.stringify(body));
    this.#invocation.statusCode = status;
    this.#invocation.responseBytes = bytes.length;
    this.#finish(() => {
      // A body of which the rest is not read would be taken for the next request.
      if (!this.#invocation.request.complete) this.#response.shouldKeepAlive = false;
      this.#response
        .writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          ...headers,
          'content-length': bytes.length,
          'x-request-id': this.#invocation.id,
        })
        .end(bytes);
    });
  }

  /** The caller has gone before the answer was complete. */
  #leave(): void {
    if (this.#isOver) return;
    this.#invocation.end('client_closed', 'forward');
    this.#invocation.statusCode = errorCatalogue.client_closed.status;
    this.#invocation.caller.abort();
    this.#finish(() => undefined);
  }

  #finish(send: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#keepAlive);
    this.#parts.settle(this.#invocation);
    this.#parts.spool.append(this.#invocation.records, send);
  }
}
