import type { PolicyAction } from '@portcullis/contracts/policy-file';
import type { ShadowMetrics } from '@portcullis/contracts/routes/policy-metrics';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

/** Alerts that are looked at, the newest. */
const maxAlerts = 10_000;
const maxRules = 20;
const maxSamples = 10;

/** What a policy would have done on the proxies that have it in shadow mode. */
export async function loadShadowMetrics({ kysely }: Queryable, name: string, from: Date): Promise<ShadowMetrics> {
  const assigned = await kysely
    .selectFrom('proxy_policies')
    .select('proxy_id')
    .where('policy_name', '=', name)
    .where('mode', '=', 'shadow')
    .execute();
  const proxyIds = assigned.map(({ proxy_id: id }) => id);
  if (proxyIds.length === 0) return { ...nothing, rules: [], samples: [] };
  const { requests } = await kysely
    .selectFrom('daily_requests')
    .select(sql<number>`coalesce(sum(requests), 0)::bigint`.as('requests'))
    .where('proxy_id', 'in', proxyIds)
    .where('day', '>=', from.toISOString().slice(0, 10))
    .executeTakeFirstOrThrow();
  const newest = kysely
    .selectFrom('alerts')
    .select(['id', 'request_id', 'rule_id', 'created_at', 'raw_data'])
    .where('policy_name', '=', name)
    .where('deleted_at', 'is', null)
    .where('created_at', '>=', from)
    .where('action', '=', 'Monitor')
    .where('proxy_id', 'in', proxyIds)
    .orderBy('created_at', 'desc')
    .limit(maxAlerts);
  const tried = kysely
    .selectFrom(newest.as('newest'))
    .select(['rule_id', sql<PolicyAction | null>`raw_data ->> 'would'`.as('would')])
    .where(sql<boolean>`raw_data ->> 'shadow' = 'true'`);
  const rules = await tried
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(['rule_id', sql`raw_data ->> 'would'`])
    .orderBy('count', 'desc')
    .orderBy('rule_id')
    .execute();
  const samples = await tried
    .select(['id', 'request_id', 'created_at'])
    .orderBy('created_at', 'desc')
    .limit(maxSamples)
    .execute();
  const { looked } = await kysely
    .selectFrom(newest.as('newest'))
    .select(({ fn }) => fn.countAll<number>().as('looked'))
    .executeTakeFirstOrThrow();
  const counted = (...actions: readonly PolicyAction[]) =>
    rules.reduce((sum, { would, count }) => sum + (would !== null && actions.includes(would) ? count : 0), 0);
  return {
    proxies: proxyIds.length,
    requests,
    would_block: counted('block'),
    would_change: counted('redact', 'replace'),
    complete: looked < maxAlerts,
    rules: rules.slice(0, maxRules),
    samples: samples.map(({ id, created_at: at, ...sample }) => ({
      alert_id: id,
      ...sample,
      created_at: at.toISOString(),
    })),
  };
}

const nothing = { proxies: 0, requests: 0, would_block: 0, would_change: 0, complete: true };
