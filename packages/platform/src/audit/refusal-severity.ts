import { auditEvents, type AuditEventType, type AuditSeverity } from '@portcullis/contracts/audit-events';

const lower: ReadonlyMap<AuditEventType, AuditSeverity> = new Map([
  // Most are a forgotten deployment with an old key, or a colleague who may not.
  ['security.access.denied', 'warning'],
  // A typing error.
  ['security.input.invalid', 'info'],
]);

/**
 * How severe the refusal of one caller is. The severity of the event type itself is kept for what no honest client does, and
 * for more different refusals in a minute than are told apart: somebody tries keys, or paths.
 */
export const refusalSeverity = (event: AuditEventType): AuditSeverity => lower.get(event) ?? auditEvents[event];
