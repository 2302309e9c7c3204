import type { AuditEventType } from '@portcullis/contracts/audit-events';
import type { AlertRecord } from '@portcullis/contracts/records';
import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { clientNetworkOf } from '@portcullis/core/network/client-network';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { renderAuditRecord, type AuditEntry } from '../audit/audit-entry.ts';
import type { AuditThrottle } from '../audit/audit-throttle.ts';
import { refusalSeverity } from '../audit/refusal-severity.ts';
import type { TrafficExchange } from './traffic-exchange.ts';
import { auditActor } from './audit-actor.ts';
import { alertRecord, kindOf, nameOf } from './alert-record.ts';
import { callerNumber } from './caller-number.ts';

/** The refusals that say something about a client. One without any key is in the request log only. */
const events: ReadonlyMap<ErrorReason, AuditEventType> = new Map([
  ['key_unknown', 'security.access.denied'],
  ['key_revoked', 'security.access.denied'],
  ['key_expired', 'security.access.denied'],
  ['certificate_invalid', 'security.access.denied'],
  ['certificate_unknown', 'security.access.denied'],
  ['group_inactive', 'security.access.denied'],
  ['access_denied', 'security.access.denied'],
  ['scope_denied', 'security.access.denied'],
  ['session_foreign', 'security.suspicious.activity'],
  ['state_foreign', 'security.suspicious.activity'],
  ['task_foreign', 'security.suspicious.activity'],
  ['budget_exceeded', 'budget_check'],
  ['rate_limited', 'security.ratelimit.exceeded'],
]);

/** Writes down who was refused, once a minute for each key, or address without one, and proxy or agent. */
export const createAuditRefusal = (throttle: AuditThrottle): SettleStage<TrafficExchange> => ({
  name: 'audit-refusal',
  run(exchange) {
    const reason = exchange.ending?.reason;
    const event = reason && events.get(reason);
    if (reason === undefined || event === undefined) return;
    const entry = describe(exchange, event, reason);
    const who = callerNumber(exchange) ?? clientNetworkOf(exchange.clientIp);
    if (throttle.admit(`${reason} ${nameOf(exchange)} ${who}`, entry, exchange.startedAt)) {
      exchange.records.push(renderAuditRecord(entry));
      if (event === 'security.suspicious.activity') exchange.records.push(foreignAlert(exchange, reason));
    }
  },
});

/** Ids of sessions and tasks, and the states of calls, are secrets of their clients: one of them has come to another client. */
const foreignAlert = (exchange: TrafficExchange, reason: ErrorReason): AlertRecord =>
  alertRecord(exchange, {
    severity: 'High',
    ...describeForeign(exchange, reason),
    action: 'Block',
    category: 'Traffic Analysis',
    policy_name: 'mcp-sessions',
    raw_data: { method: exchange.request.method ?? '' },
  });

function describeForeign(exchange: TrafficExchange, reason: ErrorReason) {
  const [caller, place] = [callerOf(exchange), nameOf(exchange)];
  if (reason === 'state_foreign') {
    return {
      title: 'Request State Of Another Key Used',
      description: `${caller} sent an MCP request state on ${place} that was given to another key. It was refused.`,
      rule_id: 'MCP_FOREIGN_STATE',
    };
  }
  if (reason === 'task_foreign') {
    return {
      title: 'Task Of Another Key Used',
      description: `${caller} named an MCP task on ${place} that was begun with another key. It was refused.`,
      rule_id: 'MCP_FOREIGN_TASK',
    };
  }
  return {
    title: 'Session Of Another Key Used',
    description: `${caller} named an MCP session on ${place} that was opened with another key. It was refused.`,
    rule_id: 'MCP_FOREIGN_SESSION',
  };
}

const callerOf = ({ key, user, certificate }: TrafficExchange): string => {
  if (key !== undefined) return `The key ${key.name}`;
  return user === undefined ? `The client certificate ${certificate?.subject}` : `The user ${user.username}`;
};

const describe = (exchange: TrafficExchange, event: AuditEventType, reason: ErrorReason): AuditEntry => ({
  event_type: event,
  severity: refusalSeverity(event),
  actor: auditActor(exchange),
  resource: { type: kindOf(exchange.proxy.type), id: exchange.proxy.id, name: exchange.proxy.name },
  action: 'request',
  result: 'failure',
  details: { reason, path: exchange.path.slice(0, 200) },
  error_message: errorCatalogue[reason].text,
  request_id: exchange.id,
  source_ip: exchange.clientIp,
  user_agent: exchange.request.headers['user-agent'] ?? null,
});
