import { canaryLeaks, type CanaryLeakage, type CanaryStats } from '@portcullis/contracts/routes/canaries';
import { leakSeverities, type CanaryLeak } from '@portcullis/core/canary/classify-observation';
import { roundShare } from '@portcullis/core/numbers/round-to';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage } from '@portcullis/platform/database/list-queries';
import { sql } from 'kysely';
import { findCanaryRows } from './canary-queries.ts';

const dayMs = 86_400_000;
const healthyFrom = 0.5;
const criticalBelow = 0.2;

export async function countCanaries({ kysely }: Queryable, days: number, nowMs: number): Promise<CanaryStats> {
  const since = new Date(nowMs - days * dayMs);
  const { planted, seen } = await kysely
    .selectFrom('canaries')
    .select(({ fn }) => [
      fn.countAll<number>().as('planted'),
      sql<number>`count(*) filter (where exists (
        select from canary_sightings where canary_sightings.token = canaries.token))`.as('seen'),
    ])
    .where('planted_at', '>=', since)
    .where('is_test', '=', false)
    .executeTakeFirstOrThrow();
  const counts = await kysely
    .selectFrom('canary_sightings')
    .select(({ fn }) => [
      'meaning',
      fn.countAll<number>().as('count'),
      sql<number>`count(*) filter (where seen_at >= ${new Date(nowMs - dayMs)})`.as('lastDay'),
    ])
    .where('seen_at', '>=', since)
    .where('meaning', 'in', [...canaryLeaks])
    .groupBy('meaning')
    .execute();
  const countOf = (leak: CanaryLeak) => counts.find(({ meaning }) => meaning === leak)?.count ?? 0;
  const rate = planted === 0 ? null : roundShare(seen / planted);
  return {
    days,
    planted,
    seen_again: seen,
    survival_rate: rate,
    survival_status: survivalStatus(rate),
    leakages: counts.reduce((sum, { count }) => sum + count, 0),
    leakages_24h: counts.reduce((sum, { lastDay }) => sum + lastDay, 0),
    by_type: {
      cross_user: countOf('cross_user'),
      cross_session: countOf('cross_session'),
      stale: countOf('stale'),
      memorization: countOf('memorization'),
    },
  };
}

function survivalStatus(rate: number | null): CanaryStats['survival_status'] {
  if (rate === null) return 'unknown';
  if (rate > healthyFrom) return 'healthy';
  return rate < criticalBelow ? 'critical' : 'warning';
}

interface LeakageFilter {
  readonly type?: CanaryLeak | undefined;
  readonly proxyId?: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function listLeakages(
  database: Queryable,
  { type, proxyId, limit, offset }: LeakageFilter,
): Promise<{ readonly leakages: CanaryLeakage[]; readonly total: number }> {
  const wanted = database.kysely
    .selectFrom('canary_sightings')
    .where('meaning', 'in', type === undefined ? [...canaryLeaks] : [type])
    .$if(proxyId !== undefined, (query) => query.where('proxy_id', '=', proxyId ?? 0));
  const { rows, total } = await loadPage(wanted.selectAll().orderBy('seen_at', 'desc').orderBy('id', 'desc'), {
    limit,
    offset,
  });
  const canaries = await findCanaryRows(database, [...new Set(rows.map(({ token }) => token))]);
  const leakages = rows.map((row): CanaryLeakage => {
    const canary = canaries.get(row.token);
    const leak = row.meaning as CanaryLeak;
    return {
      id: row.id,
      token: row.token,
      type: leak,
      severity: leakSeverities[leak],
      // Forgotten meanwhile, when it has expired.
      planted: canary === undefined ? null : renderPlace(canary, canary.planted_at),
      seen: renderPlace(row, row.seen_at),
    };
  });
  return { leakages, total };
}

type PlaceRow = Omit<NonNullable<CanaryLeakage['planted']>, 'at'>;

const renderPlace = (
  { principal, session, user_identity, user_group, request_id, proxy_id }: PlaceRow,
  at: Date,
): CanaryLeakage['seen'] => ({
  principal,
  session,
  user_identity,
  user_group,
  request_id,
  proxy_id,
  at: at.toISOString(),
});
