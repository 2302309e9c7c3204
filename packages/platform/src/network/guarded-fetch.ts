import { Agent, request, type Dispatcher } from 'undici';
import type { AddressRule } from './address-guard.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { readBounded } from '../http/read-bounded.ts';

interface GuardedRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string | undefined;
}

/** Fetches what is small, for libraries that want to be given a `fetch`. */
export interface GuardedFetch extends AsyncDisposable {
  /**
   * Follows no redirect. The answer has arrived whole.
   * @throws {AddressRefused} where no connection may go; what undici throws when it takes too long
   */
  fetch(url: string, request: GuardedRequest): Promise<Response>;
}

export interface GuardedFetchLimits {
  /** For the whole exchange, the connection included. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

/** Statuses that `Response` takes no body with. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

export function createGuardedFetch(rule: AddressRule, { timeoutMs, maxAnswerBytes }: GuardedFetchLimits): GuardedFetch {
  const agent = new Agent({
    connections: 8,
    connect: createGuardedConnector({ ...rule, connectTimeoutMs: timeoutMs }),
  });
  return {
    async fetch(url, { method, headers, body }) {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await request(url, {
        dispatcher: agent,
        signal,
        method,
        headers: { ...headers, 'user-agent': 'portcullis' },
        body: body?.toString() ?? null,
      });
      const text = await readBounded(answer.body, maxAnswerBytes);
      if (text === undefined) throw new Error(`The answer is longer than ${maxAnswerBytes} bytes`);
      const status = answer.statusCode;
      return new Response(bodiless.has(status) ? null : text, { status, headers: flatten(answer.headers) });
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

const flatten = (headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((line): [string, string] => [name, line]),
  );
