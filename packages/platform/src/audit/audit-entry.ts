import {
  auditEvents,
  type AuditActorType,
  type AuditChanges,
  type AuditEventType,
  type AuditRecord,
  type AuditResource,
  type AuditResult,
  type AuditSeverity,
} from '@portcullis/contracts/audit-events';
import { randomUUIDv7 } from 'node:crypto';

/** Who did it. */
export interface AuditActor {
  readonly type: AuditActorType;
  readonly id: number | null;
  readonly name: string | null;
  readonly email?: string | null;
  readonly role?: string | null;
}

/** What is to be written down. What is left out is null, an empty object, or follows from the event type. */
export interface AuditEntry {
  readonly event_type: AuditEventType;
  readonly actor: AuditActor;
  /** That of the event type unless given. */
  readonly severity?: AuditSeverity;
  readonly resource?: AuditResource | null;
  /** Verb, for example `updated`; the last word of the event type unless given. */
  readonly action?: string;
  /** `success` unless given. */
  readonly result?: AuditResult;
  /** What else there is to know. No secrets and no bodies. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** See `diffFields`. */
  readonly changes?: AuditChanges | null;
  readonly request_id?: string | null;
  readonly source_ip?: string | null;
  readonly user_agent?: string | null;
  readonly error_message?: string | null;
}

const maxTextLength = 500;
const maxDetailsLength = 8_000;

/** The record as table and spool take it, made now: texts are cut to size, since clients may send any length. */
export function renderAuditRecord(entry: AuditEntry): AuditRecord {
  const { actor, resource, details = {}, changes = null } = entry;
  return {
    kind: 'audit',
    event_id: randomUUIDv7(),
    timestamp: new Date().toISOString(),
    event_type: entry.event_type,
    severity: entry.severity ?? auditEvents[entry.event_type],
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: cut(actor.name),
    actor_email: cut(actor.email),
    actor_role: cut(actor.role),
    resource_type: cut(resource?.type),
    resource_id: resource?.id === undefined || resource.id === null ? null : cut(String(resource.id)),
    resource_name: cut(resource?.name),
    action: entry.action ?? entry.event_type.slice(entry.event_type.lastIndexOf('.') + 1),
    result: entry.result ?? 'success',
    details: JSON.stringify(details).length > maxDetailsLength ? { truncated: true } : details,
    changes,
    request_id: cut(entry.request_id),
    source_ip: cut(entry.source_ip),
    user_agent: cut(entry.user_agent),
    error_message: cut(entry.error_message),
  };
}

const cut = (text: string | null | undefined): string | null =>
  text === null || text === undefined
    ? null
    : (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text)
        .toWellFormed()
        .replaceAll('\0', '\uFFFD');
