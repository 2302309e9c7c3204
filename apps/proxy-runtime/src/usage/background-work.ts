import { createHash } from 'node:crypto';
import type { UsageRecord } from '@portcullis/contracts/records';
import { property, textProperty } from '@portcullis/core/json/json-value';

/** An answer that a provider writes after its request was answered, to be fetched later, as often as one likes. */
export interface BackgroundWork {
  readonly id: string;
  /** In the words of the provider, milliseconds since 1970. */
  readonly createdAtMs: number;
}

/** Providers keep such answers for a month; another time is no time at which a gateway counted anything. */
const maxAgeMs = 32 * 86_400_000;
const maxAheadMs = 300_000;

/** @param answer a response as OpenAI shows it, in any state */
export function readBackgroundWork(answer: unknown, nowMs = Date.now()): BackgroundWork | undefined {
  if (property(answer, 'background') !== true) return undefined;
  const id = textProperty(answer, 'id');
  const createdAtMs = Number(property(answer, 'created_at')) * 1_000;
  const isOfNow = createdAtMs > nowMs - maxAgeMs && createdAtMs < nowMs + maxAheadMs;
  return id === undefined || !isOfNow ? undefined : { id, createdAtMs };
}

/**
 * Under what a background answer is recorded, the same in any process and however often it is seen: the
 * database takes it once.
 * @param origin the target's
 */
export function identityOf(
  { id, createdAtMs }: BackgroundWork,
  origin: string,
): Pick<UsageRecord, 'event_id' | 'timestamp'> {
  const hash = createHash('sha256').update(`${origin} ${id}`).digest('hex');
  // A UUID of version 8, whose bits are its maker's.
  const event_id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return { event_id, timestamp: new Date(createdAtMs).toISOString() };
}
