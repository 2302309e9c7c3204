import { setTimeout as wait } from 'node:timers/promises';
import type { EndpointRequest } from '@portcullis/core/evaluation/request/build-request';
import type { RawAnswer } from '@portcullis/core/evaluation/request/read-answer';
import type { Send } from '@portcullis/core/evaluation/run/examine-case';
import { describeConnectionProblem } from '../network/describe-connection-problem.ts';
import { problemCode } from '../errors/problem.ts';

export interface CaseSenderOptions {
  /** For one request, from its connection to the last byte of its answer. */
  readonly timeoutMs: number;
  /** Ends what is under way, and waits. */
  readonly signal: AbortSignal;
  /** The connection; that of Node unless given. */
  readonly fetch?: typeof fetch;
  /** First pause before an endpoint that is too busy is asked again, where it names none; doubled each time. */
  readonly firstPauseMs?: number;
  /** How often an endpoint that is too busy is asked again; 4 times unless given. */
  readonly repeats?: number;
  /** How often an endpoint that takes no connection is asked again, after the same pauses; never unless given. */
  readonly reconnects?: number;
  /** Told of the pause for an endpoint that is too busy, so that others do not ask it meanwhile. */
  readonly onBusy?: (pauseMs: number) => void;
  /** Ends waits for an endpoint that is too busy; what it said then counts. Requests under way go on. */
  readonly hurry?: AbortSignal;
}

/** Answers are read to here, and judged by what they say up to here. */
const maxAnswerBytes = 256_000;
const maxPauseMs = 60_000;
/** Too many requests, and an endpoint that is overloaded. */
const busy: ReadonlySet<number> = new Set([429, 503, 529]);

/** Sends requests of an evaluation. Redirects are not followed: what they lead to was not asked for. Never rejects. */
export function createCaseSender(options: CaseSenderOptions): Send {
  const { firstPauseMs = 1_000, repeats = 4, reconnects = 0, hurry, onBusy } = options;
  const waiting = hurry === undefined ? options.signal : AbortSignal.any([options.signal, hurry]);
  return async (request) => {
    for (let repeat = 0; ; repeat += 1) {
      const answer = await sendOnce(request, options);
      const isBusy = 'status' in answer && busy.has(answer.status);
      if (!(isBusy && repeat < repeats) && !('refused' in answer && repeat < reconnects)) return answer;
      const named = 'status' in answer ? readRetryAfterMs(answer) : undefined;
      const pauseMs = Math.min(named ?? firstPauseMs * 2 ** repeat, maxPauseMs);
      if (isBusy) onBusy?.(pauseMs);
      await wait(pauseMs, undefined, { signal: waiting }).catch(() => undefined);
      if (options.signal.aborted) return { failure: stopped };
      if (hurry?.aborted === true) return answer;
    }
  };
}

const stopped = 'The run was stopped';

/** Nothing was sent, so that asking again asks nothing twice. */
const refusals: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

type Sent = RawAnswer | { readonly failure: string; readonly refused?: true };

async function sendOnce(
  { url, method, headers, body }: EndpointRequest,
  { timeoutMs, signal, fetch: connect = fetch }: CaseSenderOptions,
): Promise<Sent> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await connect(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
      ...(body !== undefined && { body }),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await readStart(response),
    };
  } catch (error) {
    if (signal.aborted) return { failure: stopped };
    if (timeout.aborted) return { failure: `The endpoint did not answer within ${timeoutMs} ms` };
    const cause = Error.isError(error) && error.cause !== undefined ? error.cause : error;
    const failure = `The endpoint could not be reached: ${describeConnectionProblem(cause)}`;
    return refusals.has(problemCode(cause)) ? { failure, refused: true } : { failure };
  }
}

/** Leaving the loop breaks the connection off. */
async function readStart({ body }: Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxAnswerBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, maxAnswerBytes);
}

/** In seconds, or as a date. */
function readRetryAfterMs({ headers }: RawAnswer): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
