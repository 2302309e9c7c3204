import type { AuditRecord } from '@portcullis/contracts/audit-events';
import type { AuditLog } from '@portcullis/contracts/routes/audit';

/** Columns hold what `recordAudit` and the spool wrote. */
export type AuditRow = Omit<AuditRecord, 'kind' | 'timestamp'> & {
  readonly id: number;
  readonly timestamp: Date;
  readonly hash: string;
};

/** As the API shows it. */
export const renderAuditLog = (row: AuditRow): AuditLog => ({
  id: row.id,
  event_type: row.event_type,
  timestamp: row.timestamp.toISOString(),
  severity: row.severity,
  actor: {
    user_id: row.actor_id,
    username: row.actor_name,
    email: row.actor_email,
    role: row.actor_role,
    type: row.actor_type,
  },
  resource:
    row.resource_type === null ? null : { type: row.resource_type, id: row.resource_id, name: row.resource_name },
  action: row.action,
  result: row.result,
  details: row.details,
  changes: row.changes,
  metadata: { request_id: row.request_id, event_id: row.event_id, hash: row.hash },
  source_ip: row.source_ip,
  user_agent: row.user_agent,
  error_message: row.error_message,
});
