import { randomUUIDv7 } from 'node:crypto';
import type { AlertRecord, ToolCallRecord } from '@portcullis/contracts/records';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { isEnforced } from '../tools/tool-barrier.ts';
import type { ToolBarrier } from '../exchange/tool-call.ts';
import type { ToolCall } from '../exchange/tool-call.ts';
import { alertRecord } from '@portcullis/platform/traffic/alert-record';

/** Alerts of one exchange at most: a batch of a hundred hidden tools is one incident. */
const maxAlerts = 10;
/** Longest name that an alert shows. */
const maxShownLength = 200;

/** Records what became of calls of tools, and raises an alert for each tool that was refused. */
export const recordTools: SettleStage<Exchange> = {
  name: 'record-tools',
  run(exchange) {
    for (const call of exchange.toolCalls) {
      const record = callRecord(exchange, call);
      if (record !== undefined) exchange.records.push(record);
    }
    for (const call of refusedCalls(exchange.toolCalls)) exchange.records.push(refusalAlert(exchange, call));
  },
};

/** One call for each tool that the caller should not have called. */
const refusedCalls = (calls: readonly ToolCall[]): readonly ToolCall[] => {
  const refused = calls.filter(({ barrier, limited }) => barrier !== undefined || limited);
  return [...new Map(refused.map((call) => [call.name, call])).values()].slice(0, maxAlerts);
};

/** Undefined for unknown names: callers could make up any number of them. */
function callRecord(exchange: Exchange, { name, barrier, limited, failed }: ToolCall): ToolCallRecord | undefined {
  const { proxy, ending, statusCode } = exchange;
  if (name === undefined || proxy.tools?.byName.has(name) !== true) return undefined;
  const blocked = limited || isEnforced(barrier, proxy.tools.filtering);
  const isFailure = failed || ending !== undefined || statusCode >= 400;
  return {
    kind: 'tool_call',
    event_id: randomUUIDv7(),
    timestamp: exchange.timestamp,
    request_id: exchange.id,
    proxy_id: proxy.id,
    tool_name: name,
    api_key_id: exchange.key?.id ?? null,
    user_group_id: exchange.group?.id ?? null,
    outcome: blocked || isRefusal(exchange) ? 'blocked' : isFailure ? 'failed' : 'answered',
    duration_ms: Math.round((performance.now() - exchange.startedAt) * 1_000) / 1_000,
  };
}

/** Stages that refuse a request before it leaves. */
const isRefusal = ({ ending }: Exchange): boolean =>
  ending !== undefined && ['check-tools', 'inspect-request', 'ask-guardrails'].includes(ending.stage);

const explanations: Readonly<Record<ToolBarrier, string>> = {
  'not-discovered': 'no discovery has found such a tool',
  'tool-config': 'the tool is not enabled on the proxy',
  'tool-change': 'the tool changed and waits for an admin',
  'group-permission': 'the permissions of the user group leave it out',
  'key-scope': 'the scope allowed_tools of the API key leaves it out',
};

function refusalAlert(exchange: Exchange, { name, barrier, limited }: ToolCall): AlertRecord {
  const shown = (name ?? '').slice(0, maxShownLength);
  const monitors = barrier !== undefined && !isEnforced(barrier, exchange.proxy.tools?.filtering);
  const why =
    barrier === undefined ? 'its rate limit is exceeded (rate-limit)' : `${explanations[barrier]} (${barrier})`;
  const done = monitors ? 'was let through' : limited ? 'was refused' : 'was blocked';
  return alertRecord(exchange, {
    severity: barrier === 'tool-change' ? 'High' : limited ? 'Low' : 'Medium',
    title: `${limited ? 'Tool Rate Limit Exceeded' : 'Tool Call Blocked'}: ${shown}`,
    description: `A call of the tool ${JSON.stringify(shown)} on proxy ${exchange.proxy.name} ${done}: ${why}.`,
    action: monitors ? 'Monitor' : 'Block',
    category: 'Tool Security',
    rule_id: limited ? 'MCP_TOOL_RATE_LIMITED' : 'MCP_TOOL_BLOCKED',
    policy_name: 'mcp-tool-filtering',
    raw_data: { tool: shown, method: 'tools/call', tier: barrier ?? 'rate-limit' },
  });
}
