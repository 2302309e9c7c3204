import { runEvery, type Repeated } from '@portcullis/platform/event-loop/run-every';
import { nameOf, type MessageKey } from './message-queries.ts';

interface OpenClaimsParts {
  /** May fail: it is tried again. */
  readonly renew: (keys: readonly MessageKey[]) => Promise<void>;
  readonly intervalMs?: number;
}

/** Well within the time for which a claim is good. */
const renewEveryMs = 5_000;

/** The messages that this process works on: it says so again and again, so that those of a process that ended are known. */
export class OpenClaims implements AsyncDisposable {
  readonly #open = new Map<string, MessageKey>();
  readonly #renewals: Repeated;

  constructor({ renew, intervalMs = renewEveryMs }: OpenClaimsParts) {
    this.#renewals = runEvery(
      async () => {
        if (this.#open.size > 0) await renew([...this.#open.values()]);
      },
      { intervalMs, onFault: () => {}, later: true },
    );
  }

  add(key: MessageKey): void {
    this.#open.set(nameOf(key), key);
  }

  delete(key: MessageKey): void {
    this.#open.delete(nameOf(key));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#renewals[Symbol.asyncDispose]());
  }
}
