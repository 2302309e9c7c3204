import type {
  AgentInvocationRecord,
  AlertRecord,
  RequestLogRecord,
  SpoolRecord,
  ToolCallRecord,
  UsageRecord,
} from '@portcullis/contracts/records';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { openSpool } from '@portcullis/platform/spool/open-spool';
import { silentLog } from '@portcullis/platform/test/test-database';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Stores records the way a data plane does: through a spool. */
export async function record(
  { database, dataDirectory }: Pick<Infrastructure, 'database' | 'dataDirectory'>,
  records: readonly SpoolRecord[],
): Promise<void> {
  const directory = join(dataDirectory, `spool-${randomUUID()}`);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const spool = stack.use(await openSpool({ database, directory, maxBytes: 10_000_000, log: silentLog, lingerMs: 0 }));
  spool.append(records);
  await spool.drained(60_000);
}

const common = () => ({ event_id: randomUUID(), timestamp: new Date().toISOString(), request_id: randomUUID() });

export const alertRecord = (fields: Partial<AlertRecord> = {}): AlertRecord => ({
  kind: 'alert',
  ...common(),
  severity: 'High',
  title: 'Security Rule Triggered: Ignore instructions',
  description: 'The request asks the model to ignore its instructions',
  action: 'Block',
  category: 'Policy Violations',
  proxy_id: null,
  proxy_type: 'llm',
  source: '127.0.0.1',
  target: '/v1/chat/completions',
  rule_id: 'LLM_001',
  policy_name: 'llm-security',
  user_identity: null,
  user_type: null,
  user_group: null,
  raw_data: {},
  ...fields,
});

export const requestLogRecord = (fields: Partial<RequestLogRecord>): RequestLogRecord => ({
  kind: 'request_log',
  ...common(),
  proxy_id: 1,
  method: 'POST',
  path: '/v1/chat/completions',
  status_code: 200,
  duration_ms: 10,
  request_size: 100,
  response_size: 1_000,
  client_ip: '127.0.0.1',
  user_agent: null,
  api_key_id: null,
  user_group_id: null,
  risk_level: 'None',
  denied_reason: null,
  denied_stage: null,
  target_problem: null,
  ...fields,
});

export const toolCallRecord = (fields: Partial<ToolCallRecord>): ToolCallRecord => ({
  kind: 'tool_call',
  ...common(),
  proxy_id: 1,
  tool_name: 'tool',
  api_key_id: null,
  user_group_id: null,
  outcome: 'answered',
  duration_ms: 10,
  ...fields,
});

export const usageRecord = (fields: Partial<UsageRecord>): UsageRecord => ({
  kind: 'usage',
  ...common(),
  proxy_id: 1,
  api_key_id: null,
  user_group_id: null,
  protocol: 'openai-chat',
  model: 'small-1',
  input_tokens: 10,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 5,
  reasoning_tokens: 0,
  total_tokens: 15,
  cost_micro_usd: 30,
  priced: true,
  estimated: false,
  ...fields,
});

export const agentInvocationRecord = (fields: Partial<AgentInvocationRecord>): AgentInvocationRecord => ({
  kind: 'agent_invocation',
  ...common(),
  agent_id: 1,
  agent_name: 'planner',
  user_type: 'anonymous',
  invocation_type: 'send_message',
  surface: 'jsonrpc',
  response_status: 200,
  duration_ms: 10,
  request_size: 100,
  response_size: 1_000,
  blocked: false,
  risk_score: 0,
  rate_limit_exceeded: false,
  rate_limit_applied: 0,
  source_ip: '127.0.0.1',
  ...fields,
});
