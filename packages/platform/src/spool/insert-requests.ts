import { sql, type RawBuilder } from 'kysely';
import { recordColumns } from './record-columns.ts';
import { countExceptions } from './count-exceptions.ts';
import { columns, ids, startOf, utcDay, values } from './record-sql.ts';
import { sumRequests } from './sum-sessions.ts';

const { request_log: requestLog } = recordColumns;

/** Stages of the runtime's pipeline that refuse before a key counts as used. */
const admission = sql.raw(`'identify', 'check-group', 'check-access', 'check-budget', 'limit-rate', 'reserve-budget'`);

/** Whether the LLM observability service is switched on. PostgreSQL asks once for a statement, and looks at no row where it is not. */
const takesTraces = sql`exists (
  select from settings where section = 'llm_observability' and document->>'enabled' = 'true')`;

/**
 * Each new request counts for its hour and its day, and for its key, its system prompts and the exceptions it used unless they are
 * gone; one that stands for several counts as them, and has no trace. A key is used by what it opens: what is refused because of it, or for want of budget, is no use.
 */
export const insertRequests = (given: RawBuilder<unknown>, ifThere: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      with added as (
        insert into request_logs (${columns(requestLog)})
        select ${values(requestLog)} from ${given}
        ${ifThere}
        returning event_id, timestamp, ${ids}, injected_prompts, skipped_prompts, exceptions, status_code,
          requests, duration_ms, request_size + response_size as bytes, session_id, user_id, denied_reason, target_problem,
          api_key_id as key_of_request, user_group_id as group_of_request,
          coalesce(denied_stage, '') not in (${admission}) as uses_key
      ), counted as (
        select ${startOf('hour')} as hour, proxy_id, user_group_id, api_key_id, uses_key, sum(requests) as requests,
          coalesce(sum(requests) filter (where status_code >= 400), 0) as failed, sum(duration_ms) as duration_ms, sum(bytes) as bytes,
          max(timestamp) as last_at
        from added group by 1, 2, 3, 4, 5
      ), prompted as (
        select id::integer as system_prompt_id, timestamp, 1 as injected, 0 as skipped
        from added, jsonb_array_elements_text(injected_prompts) as prompts (id) where injected_prompts is not null
        union all
        select id::integer, null, 0, 1
        from added, jsonb_array_elements_text(skipped_prompts) as prompts (id) where skipped_prompts is not null
      ), prompts_counted as (
        insert into system_prompt_usage as known (system_prompt_id, injection_count, skip_count, last_injected_at)
        select system_prompt_id, sum(injected), sum(skipped), max(timestamp) from prompted
        where system_prompt_id in (select id from system_prompts)
        group by system_prompt_id order by system_prompt_id
        on conflict (system_prompt_id) do update set
          injection_count = known.injection_count + excluded.injection_count,
          skip_count = known.skip_count + excluded.skip_count,
          last_injected_at = greatest(known.last_injected_at, excluded.last_injected_at)
      ), traced as (
        insert into llm_trace_queue (event_id, timestamp)
        select event_id, timestamp from added
        where requests = 1 and ${takesTraces} and proxy_id in (select id from proxies where type = 'llm')
      ), exceptions_counted as (
        ${countExceptions}
      ), by_hour as (
        insert into hourly_requests as known (hour, proxy_id, requests, failed, duration_ms, bytes)
        select hour, proxy_id, sum(requests), sum(failed), sum(duration_ms), sum(bytes) from counted
        group by 1, 2 order by 1, 2
        on conflict (proxy_id, hour) do update set
          requests = known.requests + excluded.requests, failed = known.failed + excluded.failed,
          duration_ms = known.duration_ms + excluded.duration_ms, bytes = known.bytes + excluded.bytes
      ), by_session as (${sumRequests}
      ), summed as (
        insert into daily_requests as known (day, proxy_id, user_group_id, api_key_id, requests)
        select ${utcDay('hour')}, proxy_id, user_group_id, api_key_id, sum(requests) from counted
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (day, proxy_id, user_group_id, api_key_id) do update set
          requests = known.requests + excluded.requests
      )
      insert into api_key_usage as known (api_key_id, request_count, last_used_at)
      select api_key_id, sum(requests), max(last_at) from counted
      where uses_key and api_key_id in (select id from api_keys)
      group by api_key_id order by api_key_id
      on conflict (api_key_id) do update set
        request_count = known.request_count + excluded.request_count,
        last_used_at = greatest(known.last_used_at, excluded.last_used_at)`;
