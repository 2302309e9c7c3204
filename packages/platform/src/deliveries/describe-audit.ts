import type { AuditRecord } from '@portcullis/contracts/audit-events';
import {
  eventKindOf,
  type EventActor,
  type EventSeverity,
  type GatewayEvent,
} from '@portcullis/contracts/gateway-events';

/** A row of the audit log as it leaves with its transaction. */
export type AuditRow = Omit<AuditRecord, 'kind'>;

const severities: Readonly<Record<AuditRow['severity'], EventSeverity>> = {
  info: 'Info',
  warning: 'Medium',
  critical: 'High',
};

/** What a record of the audit log says as an event; undefined where it is none. */
export function describeAudit(row: AuditRow): GatewayEvent | undefined {
  const kind = eventKindOf(row.event_type);
  if (kind === undefined) return undefined;
  const { resource_type: type, resource_id: id, resource_name: name } = row;
  return {
    id: row.event_id,
    kind,
    event: row.event_type,
    message: describe(row),
    severity: severities[row.severity],
    result: row.result,
    timestamp: row.timestamp,
    actor: actorOf(row),
    resource: type === null ? null : { type, id, name },
    source_ip: row.source_ip,
    user_agent: row.user_agent,
    request_id: row.request_id,
    error: row.error_message,
    details: row.details,
    changes: row.changes,
  };
}

const actorOf = (row: AuditRow): EventActor => ({
  type: row.actor_type,
  id: row.actor_id,
  name: row.actor_name,
  email: row.actor_email,
  role: row.actor_role,
});

/** For example `user admin: policy.updated llm-security (policy 3)`. */
function describe(row: AuditRow): string {
  const who = row.actor_name === null ? row.actor_type : `${row.actor_type} ${row.actor_name}`;
  const what = [row.resource_name, placeOf(row)].filter((text) => text !== null).join(' ');
  const failure =
    row.result === 'success' ? '' : `, ${row.result}${row.error_message === null ? '' : `: ${row.error_message}`}`;
  return `${who}: ${row.event_type}${what === '' ? '' : ` ${what}`}${failure}`;
}

const placeOf = ({ resource_type: type, resource_id: id }: AuditRow): string | null =>
  type === null ? null : `(${id === null ? type : `${type} ${id}`})`;
