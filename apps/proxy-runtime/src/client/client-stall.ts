import type { ServerResponse } from 'node:http';
import type { Flow } from '../answers/answer-body.ts';

/** Holds a target back while its client takes nothing, for so long at most: its connection is one that others could use. */
export class ClientStall {
  readonly #response: ServerResponse;
  readonly #maxMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, maxMs: number) {
    this.#response = response;
    this.#maxMs = maxMs;
  }

  /** Pauses the flow until the client has taken what it was sent. */
  hold(flow: Flow): void {
    flow.pause();
    // What was under way when the flow stopped comes all the same, and finds the client waited for.
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#response.destroy(), this.#maxMs).unref();
    this.#response.once('drain', () => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      flow.resume();
    });
  }
}
