import type { Buckets } from '@portcullis/platform/coordination/coordination';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { createHash } from 'node:crypto';

/** A person who mistypes is never stopped; guessing is kept to 20 attempts a minute per user. */
const perUser = { capacity: 20, refillPerSecond: 1 / 3 };
const perAddress = { capacity: 60, refillPerSecond: 1 };

/**
 * Counts an attempt to log in against the client's address and the user, known or not. Without the
 * store nobody logs in: guessing unlimited passwords must not be as easy as overloading a store.
 * @throws {GatewayError} `too_many_requests`, `service_unavailable`
 */
export async function countLoginOrThrow(buckets: Buckets, address: string, username: string): Promise<void> {
  // Hashed, since the name is whatever somebody typed, at any length, a password by mistake too.
  const user = createHash('sha256').update(username).digest('base64url');
  const answers = await Promise.all([
    buckets.take(`login:address:${address}`, perAddress),
    buckets.take(`login:user:${user}`, perUser),
  ]).catch((error: unknown) => {
    throw new GatewayError('service_unavailable', { message: 'Logging in is not possible right now', cause: error });
  });
  if (answers.every(({ allowed }) => allowed)) return;
  const retryAfterS = Math.ceil(Math.max(...answers.map(({ retryAfterMs }) => retryAfterMs)) / 1_000);
  throw new GatewayError('too_many_requests', { headers: { 'retry-after': String(retryAfterS) } });
}
