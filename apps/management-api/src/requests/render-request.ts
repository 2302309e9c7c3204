import type { RequestChanges } from '@portcullis/contracts/records';
import type { DetailedRequest, RequestOutcome, RequestSummary } from '@portcullis/contracts/routes/requests';
import { renderUsd } from '@portcullis/core/budget/usd';
import { sql } from 'kysely';

/** A row of `request_logs`, there called `logged`, with the names of what it is about and what was counted of it. */
export interface RequestRow extends Omit<RequestSummary, 'timestamp' | 'outcome' | 'cost'> {
  readonly timestamp: Date;
  readonly event_id: string;
  readonly cost_micro_usd: number | null;
  readonly injected_prompts: readonly number[] | null;
  readonly skipped_prompts: readonly number[] | null;
  readonly exceptions: readonly number[] | null;
  readonly inspection_ms: number | null;
  readonly target_wait_ms: number | null;
  readonly response_inspection_ms: number | null;
  readonly changes: RequestChanges | null;
}

export const requestColumns = sql`
  logged.id, logged.event_id, logged.proxy_id as proxy_config_id, logged.timestamp, logged.request_id, logged.requests,
  logged.method, logged.path, logged.status_code, logged.duration_ms, logged.request_size, logged.response_size,
  logged.client_ip, logged.user_agent, logged.api_key_id, logged.user_group_id, logged.user_id, logged.risk_level,
  logged.denied_reason, logged.denied_stage, logged.target_problem, logged.injected_prompts, logged.skipped_prompts,
  logged.exceptions,
  logged.session_id, logged.inspection_ms, logged.target_wait_ms, logged.response_inspection_ms, logged.changes,
  (select username from users where users.id = logged.user_id) as user_identity,
  (select name from api_keys where api_keys.id = logged.api_key_id) as api_key_name,
  (select name from user_groups where user_groups.id = logged.user_group_id) as user_group,
  proxies.name as proxy_name, proxies.type as proxy_type,
  counted.model, counted.input_tokens, counted.output_tokens, counted.cost_micro_usd`;

/** What was counted of a request has its time and its event. */
export const requestJoins = sql`
  left join proxies on proxies.id = logged.proxy_id
  left join lateral (
    select model, input_tokens, output_tokens, cost_micro_usd from usage_records
    where usage_records.timestamp = logged.timestamp and usage_records.event_id = logged.event_id) counted on true`;

export function renderRequest(row: RequestRow): RequestSummary {
  const {
    event_id: _eventId,
    injected_prompts: _injected,
    skipped_prompts: _skipped,
    exceptions: _exceptions,
    inspection_ms: _inspection,
    target_wait_ms: _wait,
    response_inspection_ms: _responseInspection,
    changes: _changes,
    cost_micro_usd: cost,
    timestamp,
    ...same
  } = row;
  return {
    ...same,
    timestamp: timestamp.toISOString(),
    outcome: outcomeOf(row),
    cost: cost === null ? null : renderUsd(cost),
  };
}

/** With where its time went, and what was changed in it. */
export function renderDetailedRequest(row: RequestRow): DetailedRequest {
  const { inspection_ms, target_wait_ms, response_inspection_ms, changes } = row;
  return {
    ...renderRequest(row),
    stage_times: { inspection_ms, target_wait_ms, response_inspection_ms },
    changes: {
      redacted_in_request: [...(changes?.redacted_in_request ?? [])],
      redacted_in_answer: [...(changes?.redacted_in_answer ?? [])],
      hidden_tools: [...(changes?.hidden_tools ?? [])],
      canary: changes?.canary === true,
    },
  };
}

/** What the target failed at is no refusal, although the gateway answers in its place. */
const outcomeOf = ({
  denied_reason: reason,
  target_problem: problem,
  status_code: status,
}: RequestRow): RequestOutcome => {
  if (reason !== null && problem === null) return 'refused';
  return status >= 400 || problem !== null ? 'failed' : 'passed';
};
