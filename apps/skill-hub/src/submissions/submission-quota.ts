import type { BucketRule, Coordination } from '@portcullis/platform/coordination/coordination';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { CallerRank, CallerQuota } from '../caller-quota.ts';

interface QuotaParts {
  readonly database: Queryable;
  readonly coordination: Pick<Coordination, 'buckets'>;
}

interface NewSource {
  readonly name: string;
  readonly version: string;
  readonly contentHash: string;
  readonly bytes: number;
}

/** Texts that are kept count in pieces of this size. */
const pieceBytes = 65_536;

/** What one caller may add: skills at once and in a minute, and bytes at once and in a minute. Signed-in users have no such bound. */
const budgets: Readonly<
  Record<Exclude<CallerRank, 'user'>, { readonly skills: BucketRule; readonly pieces: BucketRule }>
> = {
  key: { skills: perMinute(600, 300), pieces: perMinute(1_024, 256) },
  anonymous: { skills: perMinute(120, 30), pieces: perMinute(256, 16) },
};
/** Of all anonymous callers together. */
const allAnonymousPieces = perMinute(4_096, 256);

function perMinute(capacity: number, refill: number): BucketRule {
  return { capacity, refillPerSecond: refill / 60 };
}

/**
 * Counts what adds to the registry: what is known already costs nothing.
 * @throws {GatewayError} `too_many_requests`, `service_unavailable` where nothing can be counted
 */
export async function spendSubmissionQuota(
  { database, coordination: { buckets } }: QuotaParts,
  { key, rank }: CallerQuota,
  source: NewSource,
): Promise<void> {
  if (rank === 'user' || (await isKnown(database, source))) return;
  const { skills, pieces } = budgets[rank];
  const take = async (name: string, rule: BucketRule, what: string): Promise<void> => {
    const { allowed, retryAfterMs } = await takeOrThrow(buckets, `skills:${name}`, rule);
    if (allowed) return;
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
    const message = `${what} came in too fast: try again in ${seconds} seconds, or send an API key`;
    throw new GatewayError('too_many_requests', { message, headers: { 'retry-after': String(seconds) } });
  };
  await take(`new:${key}`, skills, 'New skills from your address');
  for (let bytes = source.bytes; bytes > 0; bytes -= pieceBytes) {
    await take(`bytes:${key}`, pieces, 'Sources from your address');
    if (rank === 'anonymous') await take('bytes:strangers', allAnonymousPieces, 'Sources without a key');
  }
}

async function takeOrThrow(buckets: Coordination['buckets'], key: string, rule: BucketRule) {
  try {
    return await buckets.take(key, rule);
  } catch (error) {
    throw new GatewayError('service_unavailable', { message: 'Skills cannot be counted now; try again', cause: error });
  }
}

const isKnown = async ({ kysely }: Queryable, { name, version, contentHash }: NewSource): Promise<boolean> =>
  (await kysely
    .selectFrom('skill_contents as c')
    .innerJoin('skills as s', 's.id', 'c.skill_id')
    .select('c.id')
    .where('s.name', '=', name)
    .where('s.version', '=', version)
    .where('c.content_hash', '=', contentHash)
    .limit(1)
    .executeTakeFirst()) !== undefined;
