import { sessionSources, type SessionSource } from '@portcullis/contracts/records';
import type { SessionSummary } from '@portcullis/contracts/routes/sessions';
import { renderUsd } from '@portcullis/core/budget/usd';
import { sql } from 'kysely';

/** A row of `sessions`, there called `logged`, with the names of what it is about. */
export interface SessionRow extends Omit<
  SessionSummary,
  'session_id' | 'recognised_by' | 'started_at' | 'last_at' | 'cost'
> {
  readonly id: string;
  readonly started_at: Date;
  readonly last_at: Date;
  readonly cost_micro_usd: number;
}

export const sessionColumns = sql`
  logged.id, logged.started_at, logged.last_at, logged.api_key_id, logged.user_id, logged.user_group_id, logged.models,
  logged.calls, logged.refused, logged.failed, logged.input_tokens, logged.output_tokens, logged.cost_micro_usd,
  (select name from api_keys where api_keys.id = logged.api_key_id) as api_key_name,
  (select username from users where users.id = logged.user_id) as user_identity,
  (select name from user_groups where user_groups.id = logged.user_group_id) as user_group,
  (select coalesce(json_agg(json_build_object('id', listed.id, 'name', proxies.name) order by listed.place), '[]')
    from unnest(logged.proxy_ids) with ordinality as listed(id, place) left join proxies on proxies.id = listed.id) as proxies,
  (select coalesce(json_agg(json_build_object('id', listed.id, 'name', agents.name) order by listed.place), '[]')
    from unnest(logged.agent_ids) with ordinality as listed(id, place) left join agents on agents.id = listed.id) as agents`;

export function renderSession({ id, cost_micro_usd: cost, started_at, last_at, ...same }: SessionRow): SessionSummary {
  return {
    session_id: id,
    recognised_by: sourceOf(id),
    ...same,
    started_at: started_at.toISOString(),
    last_at: last_at.toISOString(),
    // What was estimated too high at first is taken back from it.
    cost: renderUsd(Math.max(0, cost)),
  };
}

/** An id begins with it. */
function sourceOf(id: string): SessionSource {
  const source = id.slice(0, id.indexOf('_'));
  return sessionSources.find((known) => known === source) ?? 'agent';
}
