import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

/** One request to a model, with what is known of it once it has ended. */
export interface TraceRow {
  readonly event_id: string;
  readonly timestamp: Date;
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly status_code: number;
  readonly duration_ms: number;
  readonly risk_level: string;
  readonly denied_reason: string | null;
  readonly denied_stage: string | null;
  readonly proxy_id: number;
  /** Null of what has been deleted since. */
  readonly proxy_name: string | null;
  readonly key_name: string | null;
  readonly group_name: string | null;
  /** Null where no model was reached. */
  readonly usage: TraceUsage | null;
  readonly verdicts: readonly TraceVerdict[];
  /** Sealed; null where there is none. */
  readonly content: string | null;
}

/** Tokens and their cost; the parts are null where the provider reports none. */
export interface TraceUsage {
  readonly protocol: string;
  readonly model: string;
  readonly input_tokens: number;
  readonly cached_input_tokens: number | null;
  readonly cache_write_tokens: number | null;
  readonly output_tokens: number;
  readonly reasoning_tokens: number | null;
  readonly total_tokens: number;
  readonly cost_micro_usd: number;
  readonly estimated: boolean;
}

/** What a policy or detector found, without its evidence. */
export interface TraceVerdict {
  readonly policy: string;
  readonly rule: string;
  readonly severity: string;
  readonly action: string;
  readonly category: string;
  /** Milliseconds since 1970. */
  readonly at_ms: number;
}

/** Alerts of one request that its trace names. */
const maxVerdicts = 32;
/** Alerts and counted usage are written a moment after the request. */
const settled = sql`interval '2 seconds'`;

/** What the sealed contents of one post may take: Langfuse takes 4.5 MB at once. */
const maxContentBytes = 2_000_000;

/** Ids of the queue, oldest first, as many as one post may hold. */
export async function loadQueued({ kysely }: Queryable, limit: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id, sum(coalesce(octet_length(content), 0)) over (order by id) - coalesce(octet_length(content), 0) as before
      from (select id, content from llm_trace_queue where queued_at <= now() - ${settled} order by id limit ${limit}) as next
    ) as summed where before < ${maxContentBytes} order by id`.execute(kysely);
  return rows.map(({ id }) => id);
}

/** Fewer than asked for where request logs have expired meanwhile. */
export async function loadTraces({ kysely }: Queryable, ids: readonly number[]): Promise<readonly TraceRow[]> {
  const { rows } = await sql<TraceRow>`
    select queued.content, request.event_id, request.timestamp, request.request_id, request.method, request.path, request.status_code,
      request.duration_ms, request.risk_level, request.denied_reason, request.denied_stage, request.proxy_id,
      proxies.name as proxy_name, api_keys.name as key_name, user_groups.name as group_name,
      (select to_jsonb(usage) from usage_records as usage
        where usage.proxy_id = request.proxy_id and usage.timestamp = request.timestamp
          and usage.request_id = request.request_id limit 1) as usage,
      (select coalesce(jsonb_agg(found order by found.id), '[]') from (
        select id, policy_name as policy, rule_id as rule, severity, action, category,
          extract(epoch from created_at)::double precision * 1000 as at_ms
        from alerts
        where proxy_id = request.proxy_id and request_id = request.request_id and created_at >= request.timestamp - interval '1 second'
          and created_at <= request.timestamp + make_interval(secs => request.duration_ms / 1000 + 60)
        order by id limit ${maxVerdicts}) as found) as verdicts
    from llm_trace_queue as queued
    join request_logs as request on request.timestamp = queued.timestamp and request.event_id = queued.event_id
    left join proxies on proxies.id = request.proxy_id
    left join api_keys on api_keys.id = request.api_key_id
    left join user_groups on user_groups.id = request.user_group_id
    where queued.id = any(${[...ids]}::bigint[])
    order by queued.id`.execute(kysely);
  return rows;
}

export async function removeQueued({ kysely }: Queryable, ids: readonly number[]): Promise<void> {
  await sql`delete from llm_trace_queue where id = any(${[...ids]}::bigint[])`.execute(kysely);
}

/** Drops the oldest, so that no more than about `most` wait. @returns how many */
export async function shedQueued({ kysely }: Queryable, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from llm_trace_queue where id <= (select max(id) from llm_trace_queue) - ${most}`.execute(kysely);
  return Number(numAffectedRows);
}

export interface TraceState {
  readonly waiting: number;
  readonly last_delivery_at: string | null;
  readonly last_error: string | null;
  readonly last_error_at: string | null;
}

export async function loadTraceState({ kysely }: Queryable): Promise<TraceState> {
  const { rows } = await sql<TraceState>`
    select (select count(*)::integer from llm_trace_queue) as waiting,
      (select to_char(last_delivery_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from llm_trace_state) as last_delivery_at,
      (select last_error from llm_trace_state) as last_error,
      (select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from llm_trace_state
       where last_error is not null) as last_error_at`.execute(kysely);
  return rows[0] ?? { waiting: 0, last_delivery_at: null, last_error: null, last_error_at: null };
}

/** @param error null where the last post was taken */
export async function saveTraceState({ kysely }: Queryable, error: string | null): Promise<void> {
  await sql`
    insert into llm_trace_state as known (last_delivery_at, last_error)
    values (case when ${error}::text is null then now() end, ${error})
    on conflict (is_only) do update set updated_at = now(), last_error = excluded.last_error,
      last_delivery_at = coalesce(excluded.last_delivery_at, known.last_delivery_at)`.execute(kysely);
}
