import type { TeamUsage } from '@portcullis/contracts/routes/teams';
import { renderUsd } from '@portcullis/core/budget/usd';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

const listedTools = 100;
const listedModels = 1_000;

/** Which user groups: one, or a page of all. */
type Wanted = { readonly id: number } | { readonly limit: number; readonly offset: number };

/** What user groups used since a day, highest cost first. The ranking counts all of them, tools are summed up for the page only. */
export async function loadTeamUsage(
  { kysely }: Queryable,
  since: string,
  wanted: Wanted,
): Promise<{ readonly teams: readonly TeamUsage[]; readonly total: number }> {
  const only = 'id' in wanted ? wanted.id : null;
  const { limit, offset } = 'id' in wanted ? { limit: 1, offset: 0 } : wanted;
  const { rows } = await sql<TeamRow>`
    with usage as (
      select user_group_id, sum(total_tokens)::bigint as total_tokens, sum(cost_micro_usd)::bigint as cost_micro_usd
      from daily_usage where day >= ${since} and (${only}::integer is null or user_group_id = ${only}::integer) group by 1
    ), teams as (
      select id, name, coalesce(total_tokens, 0) as total_tokens, coalesce(cost_micro_usd, 0) as cost_micro_usd
      from user_groups left join usage on usage.user_group_id = id
      where ${only}::integer is null or id = ${only}::integer
      order by cost_micro_usd desc, id limit ${limit} offset ${offset}
    ), requests as (
      select user_group_id, sum(requests)::bigint as request_count,
        coalesce(sum(requests) filter (where type = 'llm'), 0)::bigint as llm_requests,
        coalesce(sum(requests) filter (where type = 'mcp'), 0)::bigint as mcp_requests
      from daily_requests left join proxies on proxies.id = proxy_id
      where day >= ${since} and user_group_id in (select id from teams) group by 1
    ), tools as (
      select user_group_id, tool_name, sum(calls)::bigint as usage_count,
        count(distinct api_key_id) filter (where api_key_id > 0) as unique_users,
        row_number() over (partition by user_group_id order by sum(calls) desc, tool_name) as place
      from daily_tool_calls where day >= ${since} and user_group_id in (select id from teams) group by 1, 2
    )
    select id as user_group_id, name as user_group_name, total_tokens, cost_micro_usd,
      coalesce(request_count, 0) as request_count, coalesce(llm_requests, 0) as llm_requests,
      coalesce(mcp_requests, 0) as mcp_requests,
      (select count(*) from tools where tools.user_group_id = id) as unique_tools,
      (select coalesce(jsonb_agg(jsonb_build_object('tool_name', tool_name, 'usage_count', usage_count,
          'unique_users', unique_users) order by place), '[]')
        from tools where tools.user_group_id = id and place <= ${listedTools}) as tool_usage
    from teams left join requests on requests.user_group_id = id
    order by cost_micro_usd desc, id`.execute(kysely);
  const { total } = await kysely
    .selectFrom('user_groups')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { teams: rows.map(renderTeam), total };
}

type TeamRow = Omit<TeamUsage, 'total_cost'> & { readonly cost_micro_usd: number };

const renderTeam = ({ cost_micro_usd: costMicroUsd, ...same }: TeamRow): TeamUsage => ({
  ...same,
  total_cost: renderUsd(costMicroUsd),
});

export interface ModelSums {
  readonly provider: string;
  readonly model: string;
  readonly total_tokens: number;
  readonly cost_micro_usd: number;
  readonly request_count: number;
}

/** By provider and model, highest cost first. */
export const loadModels = ({ kysely }: Queryable, since: string, groupId: number): Promise<ModelSums[]> =>
  kysely
    .selectFrom('daily_usage')
    .select([
      // The first word of a protocol is the provider whose API it is: openai-chat, anthropic-messages.
      sql<string>`split_part(protocol, '-', 1)`.as('provider'),
      'model',
      sql<number>`sum(total_tokens)::bigint`.as('total_tokens'),
      sql<number>`sum(cost_micro_usd)::bigint`.as('cost_micro_usd'),
      sql<number>`sum(requests)::bigint`.as('request_count'),
    ])
    .where('user_group_id', '=', groupId)
    .where('day', '>=', since)
    .groupBy(['provider', 'model'])
    .orderBy('cost_micro_usd', 'desc')
    .orderBy('model')
    .limit(listedModels)
    .execute();
