/**
 * Everything the audit log can hold, with its severity. What happened is told by the event type;
 * whether it succeeded is the record's `result`.
 */
export const auditSeverities = ['info', 'warning', 'critical'] as const;
export type AuditSeverity = (typeof auditSeverities)[number];

export const auditResults = ['success', 'failure', 'partial'] as const;
export type AuditResult = (typeof auditResults)[number];

/** Who did it. `anonymous` is an unknown client; `system` is the gateway itself. */
export const auditActorTypes = ['user', 'api_key', 'anonymous', 'system'] as const;
export type AuditActorType = (typeof auditActorTypes)[number];

export const auditEvents = {
  'auth.login.started': 'info',
  'auth.login': 'info',
  'auth.login.failed': 'warning',
  'auth.logout': 'info',
  'auth.token.refresh': 'info',
  'auth.session.ended': 'info',
  'auth.password.change': 'info',
  'auth.password.reset': 'warning',

  'user.created': 'info',
  'user.updated': 'info',
  'user.deleted': 'warning',
  'user.deactivated': 'warning',
  'user.activated': 'info',
  'user.role.changed': 'warning',

  'apikey.created': 'info',
  'apikey.updated': 'info',
  'apikey.deleted': 'warning',
  'apikey.revoked': 'warning',
  'apikey.rotated': 'warning',
  'apikey.used': 'info',

  'usergroup.created': 'info',
  'usergroup.updated': 'info',
  'usergroup.deleted': 'warning',
  'usergroup.member.added': 'info',
  'usergroup.member.removed': 'info',
  'usergroup.access.added': 'info',
  'usergroup.access.updated': 'info',
  'usergroup.access.removed': 'info',
  'usergroup.budget.reset': 'warning',
  'budget.updated': 'info',
  'budget.raised': 'warning',
  'budget.reset': 'warning',
  'spend.exported': 'info',

  'proxy.created': 'info',
  'proxy.updated': 'info',
  'proxy.deleted': 'warning',
  'proxy.started': 'info',
  'proxy.stopped': 'info',
  'proxy.tried': 'info',
  'proxy.restarted': 'info',

  'policy.created': 'info',
  'policy.updated': 'info',
  'policy.deleted': 'warning',
  'policy.rolled_back': 'warning',
  'policy.assigned': 'info',
  'policy.unassigned': 'info',
  'policy.bulk.assigned': 'info',
  'policy.assignment.updated': 'info',
  'policy.samples.updated': 'info',
  'policy.exception.created': 'warning',
  'policy.exception.ended': 'info',

  'mcp.tool.enabled': 'info',
  'mcp.tool.disabled': 'info',
  'mcp.tool.bulk.updated': 'info',
  'mcp.tool.discovered': 'info',
  'mcp.tool.updated': 'info',
  'mcp.tool.change.detected': 'warning',
  'mcp.tool.change.approved': 'warning',
  'mcp.tool.change.rejected': 'warning',

  'oauth.provider.created': 'info',
  'oauth.provider.updated': 'info',
  'oauth.provider.deleted': 'warning',
  'oauth.provider.tested': 'info',
  'oauth.session.revoked': 'warning',
  'oauth.sessions.cleaned': 'info',
  'oauth.client.registered': 'info',
  'oauth.client.deleted': 'warning',
  'oauth.authorization.started': 'info',
  'oauth.authorization.denied': 'warning',
  'oauth.code.issued': 'info',
  'oauth.token.issued': 'info',
  'oauth.token.refreshed': 'info',
  'oauth.token.refused': 'warning',
  'oauth.grant.revoked': 'warning',
  'oauth.signing_key.rotated': 'warning',
  'oauth.rule.created': 'warning',
  'oauth.rule.updated': 'warning',
  'oauth.rule.deleted': 'warning',

  'security.access.denied': 'critical',
  'security.input.invalid': 'warning',
  'security.ratelimit.exceeded': 'warning',
  'security.suspicious.activity': 'critical',

  'system_prompt.injected': 'info',
  'system_prompt.skipped': 'warning',
  'system_prompt.created': 'info',
  'system_prompt.updated': 'info',
  'system_prompt.deleted': 'info',
  'system_prompt.assigned': 'info',
  'system_prompt.unassigned': 'info',

  xaa_client_mapping_created: 'info',
  xaa_client_mapping_deleted: 'warning',
  xaa_token_exchange: 'info',
  xaa_token_validation_success: 'info',
  xaa_token_validation_failed: 'warning',
  xaa_token_revoked: 'warning',
  xaa_tokens_revoked_by_subject: 'warning',
  xaa_jwks_cache_updated: 'info',

  budget_check: 'info',
  email_sent: 'info',
  'integration.updated': 'info',
  'integration.tested': 'info',
  'settings.updated': 'warning',

  'alert.status.changed': 'info',
  'alert.bulk.updated': 'info',
  'alert.reopened': 'info',
  'alert.assigned': 'info',
  'alert.note.added': 'info',
  'alert.deleted': 'warning',
  'alert.exported': 'info',
  'delivery.retried': 'info',

  'agent.created': 'info',
  'agent.updated': 'info',
  'agent.deleted': 'warning',
  'agent.access.added': 'info',
  'agent.access.updated': 'info',
  'agent.access.removed': 'info',
  'agent.invoked': 'info',
  'agent.task.cancelled': 'info',
  'agent.card.change.detected': 'warning',
  'agent.card.change.approved': 'warning',
  'agent.card.change.rejected': 'warning',
  'agent.signing_key.rotated': 'warning',

  'skill.submitted': 'info',
  'skill.approved': 'info',
  'skill.rejected': 'warning',
  'skill.quarantined': 'warning',
  'skill.deleted': 'warning',
  'skill.bulk.deleted': 'warning',
  'skill.reported': 'warning',
  'skill.uploaded': 'info',
  'skill.downloaded': 'info',
  'skill.package.deleted': 'warning',

  'guardrail.provider.created': 'info',
  'guardrail.provider.updated': 'info',
  'guardrail.provider.deleted': 'warning',
  'guardrail.provider.tested': 'info',
  'guardrail.provider.assigned': 'info',
  'guardrail.provider.unassigned': 'info',
  'guardrail.endpoint.created': 'info',
  'guardrail.endpoint.updated': 'info',
  'guardrail.endpoint.deleted': 'warning',
  'guardrail.endpoint.tested': 'info',
  'guardrail.test_case.created': 'info',
  'guardrail.test_case.updated': 'info',
  'guardrail.test_case.deleted': 'info',
  'guardrail.evaluation.started': 'info',
  'guardrail.evaluation.cancelled': 'info',
  'guardrail.evaluation.deleted': 'warning',
  'guardrail.result.reviewed': 'info',
  'canary.updated': 'info',
  'canary.tested': 'info',
  'canary.purged': 'warning',

  'discovery.initialize': 'info',
  'session.quarantined': 'warning',
  'session.released': 'info',

  'audit.exported': 'info',
  'audit.expired': 'info',
} as const satisfies Readonly<Record<string, AuditSeverity>>;

export type AuditEventType = keyof typeof auditEvents;

export const auditEventTypes = Object.keys(auditEvents) as readonly AuditEventType[];

/** What was changed or called. The id is a text, since not everything is numbered. */
export interface AuditResource {
  /** One word, for example `proxy`, `user_group`, `api_key`. */
  readonly type: string;
  readonly id: string | number | null;
  readonly name: string | null;
}

/** Value of each changed field before and after; undefined on the side where it was not there. */
export type AuditChanges = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

/** One record of the audit log, flat as the table has it. Its place in the chain is given at insertion. */
export interface AuditRecord {
  readonly kind: 'audit';
  readonly event_id: string;
  readonly timestamp: string;
  readonly event_type: AuditEventType;
  readonly severity: AuditSeverity;
  readonly actor_type: AuditActorType;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  readonly actor_email: string | null;
  readonly actor_role: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly resource_name: string | null;
  readonly action: string;
  readonly result: AuditResult;
  readonly details: Readonly<Record<string, unknown>>;
  readonly changes: AuditChanges | null;
  readonly request_id: string | null;
  readonly source_ip: string | null;
  readonly user_agent: string | null;
  readonly error_message: string | null;
}
