import type { LoadedProxy } from './loaded-proxy.ts';

/** The gateway answered something else than it should. */
export class WrongAnswer extends Error {
  constructor(what: string, wanted: string, got: string) {
    super(`${what}: wanted ${wanted}, got ${got.slice(0, 300)}`);
    this.name = 'WrongAnswer';
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Question {
  readonly path: string;
  readonly body?: unknown;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The proxy's own key unless given; null sends none. */
  readonly key?: string | null;
}

const patienceMs = 30_000;

export const headersOf = (proxy: LoadedProxy, { headers, key = proxy.key }: Omit<Question, 'path'>, id: string) => ({
  'content-type': 'application/json',
  'x-request-id': id,
  ...(key !== null && { 'x-api-key': key }),
  ...headers,
});

/** Sends a request and reads its whole answer. */
export async function call(proxy: LoadedProxy, question: Question): Promise<Answer> {
  const { path, body, method = 'POST' } = question;
  const response = await fetch(`${proxy.url}${path}`, {
    method,
    headers: headersOf(proxy, question, proxy.nextId()),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  });
  const text = await response.text();
  proxy.certain += 1;
  return { status: response.status, headers: response.headers, text };
}

/** The same, and the status must be one of these. */
export async function callFor(proxy: LoadedProxy, what: string, statuses: readonly number[], question: Question) {
  const answer = await call(proxy, question);
  if (!statuses.includes(answer.status)) {
    throw new WrongAnswer(what, statuses.join(' or '), `${answer.status} ${answer.text}`);
  }
  return answer;
}

/** @throws {WrongAnswer} unless the text is in it */
export function expectIn(what: string, text: string, wanted: string): void {
  if (!text.includes(wanted)) throw new WrongAnswer(what, wanted, text);
}
