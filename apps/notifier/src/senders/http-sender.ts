import type { Secret } from '@portcullis/platform/config/secret';
import { checkTargetUrl, type AddressRule } from '@portcullis/platform/network/address-guard';
import { AddressRefused, createGuardedConnector } from '@portcullis/platform/network/guarded-connector';
import { Agent, request, type Dispatcher } from 'undici';
import { describeConnectionProblem } from '@portcullis/platform/network/describe-connection-problem';
import { refused, type DeliveryOutcome } from './delivery-outcome.ts';

export interface HttpPost {
  /** What it is called in reasons, such as `chat`. */
  readonly name: string;
  readonly url: Secret;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Says of a 2xx answer whose body tells of an error what it tells. */
  readonly findError?: (body: string) => DeliveryOutcome | undefined;
  /** The destination's own words for what is wrong, out of the body of an answer that is no 2xx; no credentials, no addresses. */
  readonly readProblem?: (body: string) => string | undefined;
  /** Of the answer, as much as is read; 64 KiB unless given. */
  readonly maxAnswerBytes?: number;
  /** False where an admin has switched the check of the certificate off. */
  readonly verifyTls?: boolean;
}

export interface HttpSender extends AsyncDisposable {
  /** Never rejects. An aborted signal makes the outcome `failed`. */
  post(message: HttpPost, signal: AbortSignal): Promise<DeliveryOutcome>;
}

export interface HttpSenderOptions extends AddressRule {
  /** From the first byte of the name lookup to the last one of the answer. */
  readonly timeoutMs?: number;
}

const maxAnswerBytes = 65_536;

/** Posts to destinations that admins name: guarded against internal addresses, bounded in time and in what it reads. */
export function createHttpSender({ timeoutMs = 10_000, ...rule }: HttpSenderOptions): HttpSender {
  const connect = createGuardedConnector({ ...rule, connectTimeoutMs: timeoutMs });
  // Posts are rare: a fresh connection each time costs little and never meets one that the other side has closed.
  const agent = new Agent({ connect, pipelining: 0 });
  const trusting = new Agent({
    connect: createGuardedConnector({ ...rule, connectTimeoutMs: timeoutMs, verifyTls: false }),
    pipelining: 0,
  });

  return {
    async post(message, signal) {
      const { name, url } = message;
      const problem = checkTargetUrl(url.reveal(), rule);
      if (problem !== undefined) return refused(null, `The URL of the ${name} ${problem.rule}`);

      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        return await send(message.verifyTls === false ? trusting : agent, message, AbortSignal.any([timeout, signal]));
      } catch (error) {
        if (error instanceof AddressRefused) return refused(null, `The host of the ${name} ${error.message}`);
        const reason = timeout.aborted
          ? `The ${name} did not answer within ${timeoutMs} ms`
          : `The ${name} could not be reached: ${describeConnectionProblem(error)}`;
        return { kind: 'failed', status: null, reason };
      }
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([agent.destroy(), trusting.destroy()]);
    },
  };
}

async function send(dispatcher: Dispatcher, message: HttpPost, signal: AbortSignal): Promise<DeliveryOutcome> {
  const { name, url, headers, body, findError, readProblem } = message;
  const answer = await request(url.reveal(), {
    dispatcher,
    signal,
    method: 'POST',
    headers: { accept: '*/*', 'user-agent': 'portcullis', ...headers },
    body,
  });
  const said = await readBounded(answer.body, message.maxAnswerBytes ?? maxAnswerBytes);
  const status = answer.statusCode;
  if (status >= 200 && status < 300) return findError?.(said) ?? { kind: 'delivered', status };

  const problem = readProblem?.(said);
  const reason = `The ${name} answered ${status}${problem === undefined ? renderErrorCode(said) : ` (${problem})`}${hints[status] ?? ''}`;
  if (status !== 408 && status !== 429 && status < 500) return refused(status, reason);
  const retryAfterMs = parseRetryAfterMs(answer.headers['retry-after']);
  return { kind: 'failed', status, reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Reads what fits; leaving the loop closes the connection. */
async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}

/** What an admin can do about it. */
const hints: Readonly<Record<number, string>> = {
  401: ': it does not know the credentials',
  403: ': the credentials do not allow this',
  404: ': there is nothing at this address',
};

/** The destination's own word for what is wrong, such as `invalid_payload`. Longer texts may quote the URL and are left out. */
const renderErrorCode = (said: string): string => (/^[a-z]{1,20}(_[a-z]{1,20}){0,4}$/.test(said) ? ` (${said})` : '');

/** Retry-After in seconds, with a fraction for some, or as a date. */
function parseRetryAfterMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(header)) return Math.ceil(Number(header) * 1_000);
  const at = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
