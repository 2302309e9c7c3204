import { createHmac } from 'node:crypto';
import type { Secret } from '@portcullis/platform/config/secret';

export interface SignedMessage {
  /** The same for each attempt, so that a receiver knows what it has. */
  readonly id: string;
  readonly body: string;
  /** Unix seconds of this attempt: receivers refuse what is old. */
  readonly timestamp: number;
}

/** The headers of Standard Webhooks 1.0 (https://www.standardwebhooks.com). @param secret `whsec_` and bytes in base64 */
export function signMessage({ id, body, timestamp }: SignedMessage, secret: Secret): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.reveal().slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}
