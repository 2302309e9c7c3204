import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';
import { liveDataPlanes } from './live-runtimes.ts';
import { allAgents } from './revision-report.ts';

/**
 * How many data planes live, and how many of them do not have a revision in force. A proxy that is behind holds up what
 * concerns it, and what may concern any proxy; so does a hub whose policies are.
 */
export const countRuntimes = ({ kysely }: Queryable, revision: number): Promise<{ live: number; late: number }> =>
  kysely
    .selectFrom(liveDataPlanes(kysely).as('live'))
    .leftJoin('runtime_revisions as report', (join) =>
      join
        .onRef('report.instance_id', '=', 'live.instance_id')
        .onRef('report.service', '=', 'live.service')
        .on('report.revision', '>=', revision),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('live'),
      fn
        .countAll<number>()
        .filterWhere(({ or, eb }) => or([eb('report.revision', 'is', null), concernsProxyBehind(revision)]))
        .as('late'),
    ])
    .executeTakeFirstOrThrow();

/** Changes that every proxy has in force at once, or that concern none. */
const kindsWithoutPolicies = sql.join(
  [
    'api_keys',
    'user_groups',
    'proxy_access',
    'organization_budget',
    'budget_resets',
    'budgets',
    'budget_raises',
    'settings',
    'agent_access',
  ].map((kind) => sql.lit(kind)),
);

/** Changes that are told under the id of the proxy. */
const kindsOfProxies = sql.join(
  ['proxies', 'proxy_policies', 'proxy_system_prompts', 'guardrail_assignments', 'mcp_tools', 'mcp_servers'].map(
    (kind) => sql.lit(kind),
  ),
);

/** Whether anything that was changed together with a revision concerns a proxy that is behind. */
const concernsProxyBehind = (revision: number) => sql<boolean>`cardinality(report.behind) > 0 and exists (
  select from config_changes change
  where change.changed_at = (select changed_at from config_changes where revision = ${revision})
    and change.kind not in (${kindsWithoutPolicies})
    and (change.kind <> 'agents' or ${allAgents} = any(report.behind))
    and (change.kind not in (${kindsOfProxies}) or change.id = any(report.behind::text[])))`;
