import { auditEventTypes, type AuditChanges, type AuditEventType, type AuditResult } from './audit-events.ts';
import type { Severity } from './records.ts';

/** What integrations can be told beside alerts. */
export const eventKinds = ['proxy_status', 'integration_status', 'authentication', 'configuration', 'system'] as const;
export type EventKind = (typeof eventKinds)[number];

/** What the field `events` of an integration's settings can name. */
export const sentKinds = ['alerts', ...eventKinds] as const;

/** `Info`: nothing that anybody has to look at. */
export type EventSeverity = Severity | 'Info';

/** Who did what an event tells of. */
export interface EventActor {
  /** `user`, `api_key`, `anonymous` or `system`. */
  readonly type: string;
  readonly id: number | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: string | null;
}

/** Something that happened in or to the gateway and is no alert, as integrations are told of it. */
export interface GatewayEvent {
  /** A UUID: the same however often it is sent. */
  readonly id: string;
  readonly kind: EventKind;
  /** What happened, for programs: `subject.happening`, such as `proxy.stopped` or `auth.login.failed`. */
  readonly event: string;
  /** What happened, for people: one sentence. */
  readonly message: string;
  readonly severity: EventSeverity;
  readonly result: AuditResult;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly actor: EventActor | null;
  readonly resource: { readonly type: string; readonly id: string | null; readonly name: string | null } | null;
  readonly source_ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
  /** Why it did not succeed. */
  readonly error: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly changes: AuditChanges | null;
}

/** Topic of the outbox with a `GatewayEvent`. */
export const eventTopic = 'event';
/** Topic of the outbox with a row of the audit log. */
export const auditEventTopic = 'audit_event';

/**
 * The kind of audit records by the beginning of their event type; the longest beginning decides. What traffic writes again and
 * again has none: it stands in the audit log and in the request log.
 */
const kindsByBeginning: Readonly<Record<string, EventKind | undefined>> = {
  'auth.': 'authentication',
  'oauth.session.': 'authentication',
  'security.': 'authentication',
  xaa_token: 'authentication',

  'user.': 'configuration',
  'apikey.': 'configuration',
  'apikey.used': undefined,
  'usergroup.': 'configuration',
  'budget.': 'configuration',
  'proxy.': 'configuration',
  'policy.': 'configuration',
  'mcp.': 'configuration',
  'mcp.tool.discovered': undefined,
  'oauth.': 'configuration',
  'system_prompt.': 'configuration',
  'system_prompt.injected': undefined,
  'system_prompt.skipped': undefined,
  xaa_client_mapping: 'configuration',
  'settings.': 'configuration',
  'integration.': 'configuration',
  'integration.tested': 'system',
  'agent.': 'configuration',
  'agent.invoked': undefined,
  'agent.task.': undefined,
  'skill.': 'configuration',
  'skill.submitted': undefined,
  'skill.uploaded': undefined,
  'skill.downloaded': undefined,
  'guardrail.': 'configuration',
  'guardrail.evaluation.': 'system',
  'guardrail.result.': undefined,
  'canary.': 'configuration',
  'canary.tested': undefined,

  'oauth.sessions.cleaned': 'system',
  'session.': 'system',
  'delivery.': 'system',
  'alert.': undefined,
  'alert.deleted': 'system',
  'alert.exported': 'system',
  'spend.exported': 'system',
  'audit.': 'system',
};

const beginnings = Object.keys(kindsByBeginning).toSorted((one, other) => other.length - one.length);

/** As what a record of the audit log goes to integrations; undefined: not at all. */
export function eventKindOf(type: AuditEventType): EventKind | undefined {
  const beginning = beginnings.find((text) => type.startsWith(text));
  return beginning === undefined ? undefined : kindsByBeginning[beginning];
}

/** Types of audit records that go to integrations. */
export const sentAuditEvents: readonly AuditEventType[] = auditEventTypes.filter(
  (type) => eventKindOf(type) !== undefined,
);
