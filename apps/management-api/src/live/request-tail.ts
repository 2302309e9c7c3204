import type { RequestTailEvent } from '@portcullis/contracts/live-events';
import type { RequestSummary } from '@portcullis/contracts/routes/requests';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import type { LiveClients } from './live-clients.ts';

/** That an event has, and that are looked at for it. */
const maxTold = 50;
const maxLooked = 200;

/** The latest requests, newest first. */
export type LoadLatest = (limit: number) => Promise<readonly RequestSummary[]>;

/** Tells what requests were recorded since it was asked last, however many there are a bounded number. */
export class RequestTail {
  readonly #load: LoadLatest;
  /** Of the latest when it was asked last; undefined before. Requests are recorded when they end, so no time says which are new. */
  #seen: ReadonlySet<number> | undefined;

  constructor(load: LoadLatest) {
    this.#load = load;
  }

  /** Undefined when there are none, and for the first look, which only learns what was there. */
  async next(): Promise<RequestTailEvent | undefined> {
    const latest = await this.#load(maxLooked);
    const seen = this.#seen;
    this.#seen = new Set(latest.map(({ id }) => id));
    const fresh = seen === undefined ? [] : latest.filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return undefined;
    return {
      requests: fresh.slice(0, maxTold).toReversed(),
      omitted: Math.max(0, fresh.length - maxTold),
    };
  }

  /** What comes while nobody listens is not told later. */
  forget(): void {
    this.#seen = undefined;
  }
}

interface TailParts {
  readonly clients: LiveClients;
  readonly load: LoadLatest;
  readonly intervalMs: number;
  readonly log: Logger;
}

/** Tells them every so often, as long as a client wants it. */
export function startRequestTail({ clients, load, intervalMs, log }: TailParts): AsyncDisposable {
  const tail = new RequestTail(load);
  const look = async (): Promise<void> => {
    if (!clients.wants('request')) return tail.forget();
    const payload = await tail.next();
    if (payload === undefined) return;
    clients.broadcast({ type: 'request', payload });
  };
  const onFault = (error: unknown): void =>
    void log.warn('The latest requests for /ws could not be read', { problem: problemText(error) });
  return runEvery(look, { intervalMs, onFault });
}
