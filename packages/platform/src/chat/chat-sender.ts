import { Agent, request, type Dispatcher } from 'undici';
import type { Secret } from '../config/secret.ts';
import { checkTargetUrl, type AddressRule } from '../http/address-guard.ts';
import { AddressRefused, createGuardedConnector } from '../http/guarded-connector.ts';
import { problemText } from '../lifecycle/problem.ts';
import type { ChatMessage } from './chat-message.ts';

/**
 * What became of a message: `delivered`, `failed` when sending it again may help, `refused` when it
 * cannot. `status` is null when there was no answer. Reasons never carry the webhook's URL.
 */
export type ChatOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly reason: string;
      /** What the chat asked for with Retry-After, milliseconds. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'refused'; readonly status: number | null; readonly reason: string };

export interface ChatSender extends AsyncDisposable {
  /** Never rejects. An aborted signal makes the outcome `failed`. */
  send(webhookUrl: Secret, message: ChatMessage, signal?: AbortSignal): Promise<ChatOutcome>;
}

export interface ChatSenderOptions extends AddressRule {
  /** From the first byte of the name lookup to the last one of the answer. */
  readonly timeoutMs?: number;
}

const maxAnswerBytes = 4_096;

/** Posts messages to incoming webhooks: guarded against internal addresses, bounded in time and in what it reads. */
export function createChatSender({ timeoutMs = 10_000, ...rule }: ChatSenderOptions): ChatSender {
  const connect = createGuardedConnector({ ...rule, connectTimeoutMs: timeoutMs });
  // Posts are rare: a fresh connection each time costs little and never meets one the chat has closed.
  const agent = new Agent({ connect, pipelining: 0 });

  return {
    async send(webhookUrl, message, signal) {
      const problem = checkTargetUrl(webhookUrl.reveal(), rule);
      if (problem !== undefined) return refused(null, `The webhook URL ${problem.rule}`);

      const timeout = AbortSignal.timeout(timeoutMs);
      const stop = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
      try {
        return await post(agent, webhookUrl, message, stop);
      } catch (error) {
        if (error instanceof AddressRefused) return refused(null, `The webhook's host ${error.message}`);
        const reason = timeout.aborted
          ? `The chat did not answer within ${timeoutMs} ms`
          : `The chat could not be reached: ${problemText(error)}`;
        return { kind: 'failed', status: null, reason };
      }
    },

    async [Symbol.asyncDispose]() {
      await agent.destroy();
    },
  };
}

async function post(
  dispatcher: Dispatcher,
  webhookUrl: Secret,
  message: ChatMessage,
  signal: AbortSignal,
): Promise<ChatOutcome> {
  const answer = await request(webhookUrl.reveal(), {
    dispatcher,
    signal,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: '*/*', 'user-agent': 'portcullis' },
    body: JSON.stringify(message),
  });
  const said = await readStart(answer.body);
  const status = answer.statusCode;
  if (status >= 200 && status < 300) return { kind: 'delivered', status };

  const reason = `The chat answered ${status}${errorWord(said)}`;
  if (status !== 408 && status !== 429 && status < 500) return refused(status, reason);
  const retryAfterMs = parseRetryAfterMs(answer.headers['retry-after']);
  return { kind: 'failed', status, reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

const refused = (status: number | null, reason: string): ChatOutcome => ({ kind: 'refused', status, reason });

/** Reads what fits; leaving the loop closes the connection. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}

/** The chat's own word for what is wrong, such as `invalid_payload`. Longer texts may quote the URL and are left out. */
const errorWord = (said: string): string => (/^[a-z]{1,20}(_[a-z]{1,20}){0,4}$/.test(said) ? ` (${said})` : '');

/** Retry-After in seconds. Dates are not read: no chat sends them. */
function parseRetryAfterMs(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
