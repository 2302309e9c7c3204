import type { SpoolRecordKind } from '@portcullis/contracts/records';
import type {
  AgentInvocationsTable,
  AgentTasksTable,
  AlertsTable,
  AuditLogTable,
  GuardrailChecksTable,
  McpSightingsTable,
  McpToolCallsTable,
  RequestLogsTable,
  UsageRecordsTable,
} from '../database/tables.ts';

/** SQL types by column. */
export type ColumnTypes = Readonly<Record<string, string>>;

type TypesOf<Table> = Readonly<Record<keyof Table, string>>;

const requestLog = {
  event_id: 'uuid',
  timestamp: 'timestamptz',
  request_id: 'text',
  proxy_id: 'integer',
  method: 'text',
  path: 'text',
  status_code: 'integer',
  duration_ms: 'double precision',
  request_size: 'integer',
  response_size: 'bigint',
  client_ip: 'text',
  user_agent: 'text',
  api_key_id: 'integer',
  user_group_id: 'integer',
  risk_level: 'text',
  denied_reason: 'text',
  denied_stage: 'text',
  injected_prompts: 'jsonb',
  skipped_prompts: 'jsonb',
  target_problem: 'text',
  user_id: 'integer',
  requests: 'integer',
  exceptions: 'jsonb',
  session_id: 'text',
  inspection_ms: 'double precision',
  target_wait_ms: 'double precision',
  response_inspection_ms: 'double precision',
  changes: 'jsonb',
} as const satisfies TypesOf<Omit<RequestLogsTable, 'id'>>;

const usage = {
  event_id: 'uuid',
  timestamp: 'timestamptz',
  request_id: 'text',
  proxy_id: 'integer',
  api_key_id: 'integer',
  user_group_id: 'integer',
  protocol: 'text',
  model: 'text',
  input_tokens: 'bigint',
  cached_input_tokens: 'bigint',
  cache_write_tokens: 'bigint',
  output_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  total_tokens: 'bigint',
  cost_micro_usd: 'bigint',
  stated_cost_micro_usd: 'bigint',
  priced: 'boolean',
  estimated: 'boolean',
  user_id: 'integer',
  session_id: 'text',
} as const satisfies TypesOf<Omit<UsageRecordsTable, 'id' | 'rough'>>;

type AlertColumn = Exclude<
  keyof AlertsTable,
  'id' | 'status' | 'assignee_id' | 'created_at' | 'updated_at' | 'deleted_at' | 'search_text'
>;
const alert = {
  event_id: 'uuid',
  request_id: 'text',
  severity: 'text',
  title: 'text',
  description: 'text',
  action: 'text',
  category: 'text',
  proxy_id: 'integer',
  proxy_type: 'text',
  source: 'text',
  target: 'text',
  rule_id: 'text',
  policy_name: 'text',
  user_identity: 'text',
  user_type: 'text',
  user_group: 'text',
  raw_data: 'jsonb',
} as const satisfies TypesOf<Pick<AlertsTable, AlertColumn>>;

const audit = {
  event_id: 'uuid',
  timestamp: 'timestamptz',
  event_type: 'text',
  severity: 'text',
  actor_type: 'text',
  actor_id: 'integer',
  actor_name: 'text',
  actor_email: 'text',
  actor_role: 'text',
  resource_type: 'text',
  resource_id: 'text',
  resource_name: 'text',
  action: 'text',
  result: 'text',
  details: 'jsonb',
  changes: 'jsonb',
  request_id: 'text',
  source_ip: 'text',
  user_agent: 'text',
  error_message: 'text',
} as const satisfies TypesOf<Omit<AuditLogTable, 'id' | 'hash' | 'search_text'>>;

const canaryPlanted = {
  timestamp: 'timestamptz',
  request_id: 'text',
  proxy_id: 'integer',
  token: 'text',
  principal: 'text',
  session: 'text',
  user_identity: 'text',
  user_group: 'text',
} as const satisfies ColumnTypes;

const canarySeen = {
  event_id: 'uuid',
  ...canaryPlanted,
  source: 'text',
  target: 'text',
} as const satisfies ColumnTypes;

const guardrailCheck = {
  event_id: 'uuid',
  timestamp: 'timestamptz',
  request_id: 'text',
  provider_id: 'integer',
  provider_name: 'text',
  provider_type: 'text',
  proxy_id: 'integer',
  user_group_id: 'integer',
  api_key_id: 'integer',
  direction: 'text',
  verdict: 'text',
  action: 'text',
  categories: 'jsonb',
  confidence: 'double precision',
  latency_ms: 'double precision',
  tokens: 'bigint',
  cached: 'boolean',
  error: 'text',
  content_preview: 'text',
} as const satisfies TypesOf<Omit<GuardrailChecksTable, 'id'>>;

const toolCall = {
  event_id: 'uuid',
  timestamp: 'timestamptz',
  request_id: 'text',
  proxy_id: 'integer',
  tool_name: 'text',
  api_key_id: 'integer',
  user_group_id: 'integer',
  outcome: 'text',
  duration_ms: 'double precision',
} as const satisfies TypesOf<Omit<McpToolCallsTable, 'id'>>;

const toolSighting = {
  event_id: 'uuid',
  request_id: 'text',
  proxy_id: 'integer',
  subject: 'text',
  name: 'text',
  hash: 'text',
  definition: 'jsonb',
} as const satisfies TypesOf<Omit<McpSightingsTable, 'id' | 'seen_at'>>;

const agentInvocation = {
  event_id: 'uuid',
  timestamp: 'timestamptz',
  request_id: 'text',
  trace_id: 'text',
  agent_id: 'integer',
  agent_name: 'text',
  user_type: 'text',
  user_id: 'integer',
  user_identity: 'text',
  user_group_id: 'integer',
  invocation_type: 'text',
  surface: 'text',
  caller_version: 'text',
  agent_version: 'text',
  agent_binding: 'text',
  task_id: 'text',
  context_id: 'text',
  task_state: 'text',
  response_status: 'integer',
  error: 'text',
  duration_ms: 'double precision',
  first_event_ms: 'double precision',
  events: 'integer',
  request_size: 'bigint',
  response_size: 'bigint',
  blocked: 'boolean',
  block_reasons: 'jsonb',
  policy_hits: 'jsonb',
  risk_score: 'integer',
  rate_limit_exceeded: 'boolean',
  rate_limit_applied: 'integer',
  source_ip: 'text',
  user_agent: 'text',
  request_payload: 'jsonb',
  response_payload: 'jsonb',
  exceptions: 'jsonb',
  session_id: 'text',
} as const satisfies TypesOf<Omit<AgentInvocationsTable, 'id'>>;

const agentTask = {
  id: 'text',
  agent_id: 'integer',
  owner: 'text',
  context_id: 'text',
  upstream_id: 'text',
  upstream_context_id: 'text',
  state: 'text',
  ended: 'boolean',
  task: 'jsonb',
} as const satisfies TypesOf<Omit<AgentTasksTable, 'changed_at'>>;

const traceContent = { event_id: 'uuid', content: 'text' } as const satisfies ColumnTypes;

/** What stands for a value that a record leaves out, by the column; null for all others. */
export const recordDefaults: Readonly<Record<string, string>> = {
  risk_level: `'None'`,
  requests: '1',
  cached_input_tokens: '0',
  cache_write_tokens: '0',
  reasoning_tokens: '0',
};

/** The columns that come from a record as its JSON has them, by the record's kind. */
export const recordColumns = {
  request_log: requestLog,
  usage,
  usage_rough: usage,
  usage_counted: usage,
  alert,
  audit,
  canary_planted: canaryPlanted,
  canary_seen: canarySeen,
  guardrail_check: guardrailCheck,
  tool_call: toolCall,
  tool_sighting: toolSighting,
  agent_invocation: agentInvocation,
  agent_task: agentTask,
  trace_content: traceContent,
} as const satisfies Record<SpoolRecordKind, ColumnTypes>;
