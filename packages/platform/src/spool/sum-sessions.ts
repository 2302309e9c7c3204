import { sql, type RawBuilder } from 'kysely';

/** Proxies, agents and models that a session lists; it counts the calls of all. */
const maxListed = 20;

/** What the calls of a statement add to their sessions, one row for each. */
interface SessionSums {
  readonly apiKeyId: RawBuilder<unknown>;
  readonly userId: RawBuilder<unknown>;
  readonly groupId: RawBuilder<unknown>;
  readonly proxyIds: RawBuilder<unknown>;
  readonly agentIds: RawBuilder<unknown>;
  readonly models: RawBuilder<unknown>;
  readonly calls: RawBuilder<unknown>;
  readonly refused: RawBuilder<unknown>;
  readonly failed: RawBuilder<unknown>;
  readonly inputTokens: RawBuilder<unknown>;
  readonly outputTokens: RawBuilder<unknown>;
  readonly costMicroUsd: RawBuilder<unknown>;
}

const zero = sql`0`;
const none = sql`null::integer`;
const nothing: SessionSums = {
  apiKeyId: none,
  userId: none,
  groupId: none,
  proxyIds: sql`'{}'::integer[]`,
  agentIds: sql`'{}'::integer[]`,
  models: sql`'{}'::text[]`,
  calls: zero,
  refused: zero,
  failed: zero,
  inputTokens: zero,
  outputTokens: zero,
  costMicroUsd: zero,
};

/** The first of what a session knows and what is new. */
const joined = (name: string): RawBuilder<unknown> => {
  const [known, given] = [sql.ref(`known.${name}`), sql.ref(`excluded.${name}`)];
  return sql`case when ${known} @> ${given} or cardinality(${known}) >= ${sql.lit(maxListed)} then ${known} else (
    ${known} || array(select new from unnest(${given}) as new where new <> all(${known})))[:${sql.lit(maxListed)}] end`;
};

const sumInto = (source: RawBuilder<unknown>, given: Partial<SessionSums>): RawBuilder<unknown> => {
  const sums = { ...nothing, ...given };
  return sql`
    insert into sessions as known (id, started_at, last_at, api_key_id, user_id, user_group_id, proxy_ids, agent_ids, models,
      calls, refused, failed, input_tokens, output_tokens, cost_micro_usd)
    select session_id, min(timestamp), max(timestamp), ${sums.apiKeyId}, ${sums.userId}, ${sums.groupId},
      ${sums.proxyIds}, ${sums.agentIds}, ${sums.models}, ${sums.calls}, ${sums.refused}, ${sums.failed},
      ${sums.inputTokens}, ${sums.outputTokens}, ${sums.costMicroUsd}
    from ${source} where session_id is not null group by session_id order by session_id
    on conflict (id) do update set
      started_at = least(known.started_at, excluded.started_at),
      last_at = greatest(known.last_at, excluded.last_at),
      api_key_id = greatest(known.api_key_id, excluded.api_key_id),
      user_id = greatest(known.user_id, excluded.user_id),
      user_group_id = greatest(known.user_group_id, excluded.user_group_id),
      proxy_ids = ${joined('proxy_ids')},
      agent_ids = ${joined('agent_ids')},
      models = ${joined('models')},
      calls = known.calls + excluded.calls,
      refused = known.refused + excluded.refused,
      failed = known.failed + excluded.failed,
      input_tokens = known.input_tokens + excluded.input_tokens,
      output_tokens = known.output_tokens + excluded.output_tokens,
      cost_micro_usd = known.cost_micro_usd + excluded.cost_micro_usd`;
};

const firstOf = (column: string): RawBuilder<unknown> =>
  sql`(array_agg(distinct ${sql.ref(column)}))[:${sql.lit(maxListed)}]`;
const countIf = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`count(*) filter (where ${condition})`;

/** Requests that were `added`, to their sessions. */
export const sumRequests = sumInto(sql`added`, {
  apiKeyId: sql`max(key_of_request)`,
  userId: sql`max(user_id)`,
  groupId: sql`max(group_of_request)`,
  proxyIds: firstOf('proxy_id'),
  calls: sql`count(*)`,
  refused: countIf(sql`denied_reason is not null and target_problem is null`),
  failed: countIf(sql`target_problem is not null or (denied_reason is null and status_code >= 400)`),
});

/** Usage that was `counted`, with its sign: calls are counted by their requests. */
export const sumTokens = sumInto(sql`counted`, {
  models: firstOf('model'),
  inputTokens: sql`sum(sign * input_tokens)`,
  outputTokens: sql`sum(sign * output_tokens)`,
  costMicroUsd: sql`sum(sign * cost_micro_usd)`,
});

/** Calls of agents that were `added`. */
export const sumAgentCalls = sumInto(sql`added`, {
  apiKeyId: sql`max(user_id) filter (where user_type = 'apikey')`,
  userId: sql`max(user_id) filter (where user_type = 'user')`,
  groupId: sql`max(user_group_id)`,
  agentIds: firstOf('agent_id'),
  calls: sql`count(*)`,
  refused: countIf(sql`error is not null and response_status < 500`),
  failed: countIf(sql`response_status >= 500 or (error is null and response_status >= 400)`),
});
