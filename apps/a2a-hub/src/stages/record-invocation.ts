import {
  severities,
  type AgentInvocationRecord,
  type agentInvocationTypes,
  type Severity,
} from '@portcullis/contracts/records';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Operation } from '@portcullis/core/a2a/call';
import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { namedInHeader, traceOf, type RenderSessionId } from '@portcullis/platform/traffic/session-ids';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';
import { usedExceptions } from '@portcullis/platform/traffic/used-exceptions';
import type { Invocation } from '../invocation/invocation.ts';
import { payloadOf } from '../invocation/payload.ts';

const types: Readonly<Record<Operation, (typeof agentInvocationTypes)[number]>> = {
  send: 'send_message',
  stream: 'stream_message',
  get: 'get_task',
  list: 'list_tasks',
  cancel: 'cancel_task',
  subscribe: 'subscribe_task',
  extendedCard: 'get_task',
};

const maxTextLength = 512;
const maxHits = 50;

const scores: Readonly<Record<Severity, number>> = { Critical: 95, High: 75, Medium: 50, Low: 25 };

/** From 0 to 100: of the gravest finding, and a little more for each further rule. */
function riskScore(findings: readonly LocatedFinding[]): number {
  const gravest = severities.find((severity) => findings.some((finding) => finding.severity === severity));
  if (gravest === undefined) return 0;
  const rules = new Set(findings.map(({ ruleId }) => ruleId)).size;
  return Math.min(100, scores[gravest] + rules - 1);
}

const renderHit = ({
  policyName,
  ruleId,
  ruleName,
  severity,
  action,
  direction,
  location,
  evidence,
  exceptedBy,
}: LocatedFinding) => ({
  policy_name: policyName,
  rule_id: ruleId,
  rule_name: ruleName,
  severity,
  action,
  direction,
  location,
  evidence,
  ...(exceptedBy !== undefined && { excepted_by: exceptedBy }),
});

const callerOf = ({
  user,
  key,
  certificate,
}: Invocation): Pick<AgentInvocationRecord, 'user_type' | 'user_id' | 'user_identity'> => {
  if (user !== undefined) return { user_type: 'user', user_id: user.id, user_identity: user.username };
  if (key !== undefined) return { user_type: 'apikey', user_id: key.id, user_identity: key.name };
  return { user_type: 'anonymous', user_identity: certificate?.subject };
};

/** Records a call of an agent, however it ended. One of an agent that is not known belongs to no agent's log. */
export const createRecordInvocation = (renderSessionId: RenderSessionId): SettleStage<Invocation> => ({
  name: 'record',
  run(invocation) {
    const { proxy, asked, surface, route, answeredTask, ending, findings, request } = invocation;
    if (asked === undefined || proxy.id === 0) return;
    const blocked = findings.filter((finding) => enforcedAction(finding) === 'block');
    const record: AgentInvocationRecord = {
      kind: 'agent_invocation',
      event_id: invocation.eventId,
      timestamp: new Date(invocation.receivedAt).toISOString(),
      request_id: invocation.id,
      trace_id: invocation.trace?.ids.trace_id ?? invocation.traceparent?.split('-')[1],
      agent_id: proxy.id,
      agent_name: proxy.name,
      ...callerOf(invocation),
      user_group_id: invocation.group?.id,
      invocation_type: types[asked.call.operation],
      surface: surface.name,
      caller_version: invocation.replies.version,
      agent_version: route?.version,
      agent_binding: route?.binding,
      task_id: answeredTask?.id ?? invocation.task?.task.id,
      context_id: answeredTask?.contextId ?? invocation.task?.task.contextId,
      task_state: answeredTask?.status.state,
      response_status: invocation.statusCode,
      error: ending?.reason,
      duration_ms: Math.round((performance.now() - invocation.startedAt) * 1_000) / 1_000,
      first_event_ms: invocation.firstEventMs,
      events: invocation.events === 0 ? undefined : invocation.events,
      request_size: invocation.requestBytes,
      response_size: invocation.responseBytes,
      blocked: ending?.reason === 'policy_violation' || ending?.reason === 'policy_violation_response',
      block_reasons:
        blocked.length === 0 ? undefined : [...new Set(blocked.map(({ ruleName }) => ruleName))].slice(0, maxHits),
      policy_hits: findings.length === 0 ? undefined : findings.slice(0, maxHits).map(renderHit),
      exceptions: usedExceptions(findings),
      risk_score: riskScore(findings),
      rate_limit_exceeded: ending?.reason === 'rate_limited',
      rate_limit_applied: invocation.rateLimit,
      source_ip: invocation.clientIp,
      user_agent: request.headers['user-agent']?.slice(0, maxTextLength),
      request_payload: 'message' in asked.call ? payloadOf(asked.call.message, findings, 'request') : undefined,
      response_payload: answeredTask && payloadOf(answeredTask, findings, 'response'),
      session_id: findSession(invocation, renderSessionId),
    };
    invocation.records.push(omitUndefined(record));
  },
});

/** The task of the calling agent: by the id that it names, the trace that it continues, or the context of the agent it calls. */
function findSession(invocation: Invocation, render: RenderSessionId): string | undefined {
  const { request, proxy, asked, answeredTask, task } = invocation;
  const message = asked !== undefined && 'message' in asked.call ? asked.call.message : undefined;
  const contextId = answeredTask?.contextId ?? task?.task.contextId ?? message?.contextId;
  const sign =
    namedInHeader(invocation) ??
    traceOf(request.headers['traceparent']) ??
    (contextId === undefined ? undefined : ({ source: 'a2a', text: `${proxy.id} ${contextId}` } as const));
  return sign && render(sign, invocation);
}
