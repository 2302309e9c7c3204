import { alertActions, severities } from '@portcullis/contracts/records';
import { getPolicyMetrics, type PolicyMetrics } from '@portcullis/contracts/routes/policy-metrics';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { RecentMetrics } from '@portcullis/platform/metrics/recent-metrics';
import { loadDayCounts } from '../alerts/alert-day-counts.ts';
import { firstDay, startOf } from '../alerts/day-window.ts';
import { findPolicyOrThrow } from './save-policy.ts';
import { loadShadowMetrics } from './shadow-metrics.ts';

export const policyMetricsRoutes = (database: Database, recent: Pick<RecentMetrics, 'snapshot'>): BoundRoute[] => [
  bind(getPolicyMetrics, async ({ params, query: { days } }) => {
    const { name } = await findPolicyOrThrow(database, params.name);
    const since = startOf(firstDay(days, new Date()));
    const hits = await readConsistent(database, async (moment) => ({
      ...(await loadHits(moment, name, since)),
      shadow: await loadShadowMetrics(moment, name, since),
    }));
    const { policy_metrics: metrics } = await recent.snapshot();
    const scans = Object.values(metrics.policy_details).find(({ policy_name: scanned }) => scanned === name);
    return {
      data: {
        policy_name: name,
        period_days: days,
        ...hits,
        evaluations: scans?.evaluations ?? 0,
        matches: scans?.matches ?? 0,
        average_duration: scans?.average_duration ?? '0s',
      },
    };
  }),
];

type Hits = Pick<PolicyMetrics, 'hits' | 'blocked' | 'by_action' | 'by_severity' | 'days' | 'last_hit_at'>;

/** Severities and days come from the counters of the alerts, actions from an index that has them. */
async function loadHits({ kysely }: Queryable, name: string, from: Date): Promise<Hits> {
  const dayCounts = await loadDayCounts(kysely, { policyNames: [name], from }, 'severity');
  const alerts = kysely.selectFrom('alerts').where('policy_name', '=', name).where('deleted_at', 'is', null);
  const actions = await alerts
    .where('created_at', '>=', from)
    .select(({ fn }) => ['action', fn.countAll<number>().as('count')])
    .groupBy('action')
    .execute();
  const last = await alerts.select('created_at').orderBy('created_at', 'desc').limit(1).executeTakeFirst();
  const byAction = tally(
    alertActions,
    actions.map(({ action, count }) => [action, count]),
  );
  return {
    hits: dayCounts.reduce((sum, { count }) => sum + count, 0),
    blocked: byAction['Block'] ?? 0,
    by_action: byAction,
    by_severity: tally(
      severities,
      dayCounts.map(({ group, count }) => [group, count]),
    ),
    days: [...Map.groupBy(dayCounts, ({ day }) => day)]
      .map(([day, same]) => ({ day, hits: same.reduce((sum, { count }) => sum + count, 0) }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    last_hit_at: last?.created_at.toISOString() ?? null,
  };
}

const tally = (names: readonly string[], counts: readonly (readonly [string | null, number])[]) =>
  Object.fromEntries(
    names.map((name) => [name, counts.filter(([each]) => each === name).reduce((sum, [, count]) => sum + count, 0)]),
  );
