import type { AgentLog, AgentLogDetail, PolicyHit } from '@portcullis/contracts/routes/agent-logs';
import type { AgentLogRow } from './log-queries.ts';

export const renderLog = (row: AgentLogRow): AgentLog => ({
  id: row.id,
  agent_id: row.agent_id,
  agent_name: row.agent_name,
  user_id: row.user_id,
  user_type: row.user_type as AgentLog['user_type'],
  user_identity: row.user_identity,
  user_group_id: row.user_group_id,
  task_id: row.task_id,
  context_id: row.context_id,
  invocation_type: row.invocation_type as AgentLog['invocation_type'],
  surface: row.surface as AgentLog['surface'],
  response_status: row.response_status,
  error: row.error,
  task_state: row.task_state,
  duration_ms: row.duration_ms,
  blocked: row.blocked,
  risk_score: row.risk_score,
  rate_limit_exceeded: row.rate_limit_exceeded,
  rate_limit_applied: row.rate_limit_applied,
  source_ip: row.source_ip,
  user_agent: row.user_agent,
  request_id: row.request_id,
  trace_id: row.trace_id,
  created_at: row.timestamp.toISOString(),
});

/** With everything that a page of them has no room for. */
export const renderLogDetail = (row: AgentLogRow): AgentLogDetail => ({
  ...renderLog(row),
  caller_version: row.caller_version,
  agent_version: row.agent_version,
  agent_binding: row.agent_binding,
  events: row.events,
  first_event_ms: row.first_event_ms,
  request_size: row.request_size,
  response_size: row.response_size,
  request_payload: row.request_payload,
  response_payload: row.response_payload,
  policy_hits: (row.policy_hits ?? []) as PolicyHit[],
  block_reasons: (row.block_reasons ?? []) as string[],
});
