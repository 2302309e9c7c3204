import { Type, type Static } from 'typebox';
import { auditActorTypes, auditEventTypes, auditResults, auditSeverities } from '../audit-events.ts';
import { Count, EvidenceId, Exact, Nullable, Timestamp, optional, page } from '../fields.ts';
import { filtersOf, synonymOf } from '../list-filters.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Audit log');

const Text = Nullable(Type.String());
const Details = Type.Record(Type.String(), Type.Unknown());

export const AuditLog = Exact(
  {
    id: EvidenceId,
    event_type: Type.Enum(auditEventTypes),
    timestamp: Timestamp,
    severity: Type.Enum(auditSeverities),
    actor: Exact({
      user_id: Nullable(Type.Integer()),
      username: Text,
      email: Text,
      role: Text,
      type: Type.Enum(auditActorTypes),
    }),
    resource: Type.Unsafe<{ type: string; id: string | null; name: string | null } | null>({
      type: ['object', 'null'],
      properties: { type: Type.String(), id: Text, name: Text },
      required: ['type', 'id', 'name'],
      additionalProperties: false,
    }),
    action: Type.String(),
    result: Type.Enum(auditResults),
    details: Details,
    changes: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: ['object', 'null'],
      description: 'By field, {from, to}; secrets read [redacted]',
    }),
    metadata: Exact({ request_id: Text, event_id: Type.String(), hash: Type.String() }),
    source_ip: Text,
    user_agent: Text,
    error_message: Text,
  },
  { title: 'AuditLog' },
);
export type AuditLog = Static<typeof AuditLog>;

/** A search looks through so much at most, and says so. */
const searched = optional({
  searched: Type.Integer({
    minimum: 0,
    description: 'With search: how many records were looked through, the newest of those that pass the other filters',
  }),
  searched_from_id: Nullable({
    ...EvidenceId,
    description:
      'With search: null when all were looked through; else the oldest, and the before_id that goes on from there',
  }),
});

export const AuditPage = Exact({
  logs: Type.Array(AuditLog),
  total: Count,
  limit: Count,
  offset: Count,
  ...searched,
});
export type AuditPage = Static<typeof AuditPage>;

const filters = {
  ...filtersOf('time_range', 'date_from', 'date_to', 'user', 'request_id'),
  ...optional({
    actor: synonymOf('user', Type.String({ maxLength: 200 })),
    event_type: Type.String({
      maxLength: 2_000,
      pattern: '^[a-z_.]+(, ?[a-z_.]+)*$',
      'x-allowed': 'event types with commas between',
      description: 'One type, or several with commas between',
    }),
    severity: Type.String({ maxLength: 100, description: 'One severity, or several with commas between' }),
    resource_type: Type.String({ maxLength: 100 }),
    resource_id: Type.String({ maxLength: 200 }),
    result: Type.Enum(auditResults),
    source_ip: Type.String({ maxLength: 100 }),
    search: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of type, action, actor, resource, address, error or details',
    }),
    before_id: EvidenceId,
  }),
};
export type AuditFilters = Omit<Static<ReturnType<typeof Exact<typeof filters>>>, 'actor'>;

export const listAuditLogs = routes.define({
  method: 'GET',
  path: '/audit/logs',
  role: 'admin',
  summary: 'List the audit log, newest first',
  parts: { query: Exact({ ...filters, ...page(50) }), response: AuditPage },
});

export const getAuditLog = routes.define({
  method: 'GET',
  path: '/audit/logs/:id',
  role: 'admin',
  summary: 'Show one record of the audit log',
  parts: { params: Exact({ id: EvidenceId }), response: AuditLog },
  errors: ['not_found'],
});

export const exportAuditLogs = routes.define({
  method: 'GET',
  path: '/audit/export',
  role: 'admin',
  summary: 'Download the records that pass the filter, newest first, without a limit',
  contentType: ['application/json', 'text/csv; charset=utf-8'],
  parts: { query: Exact({ ...filters, format: Type.Enum(['json', 'csv'], { default: 'json' }) }) },
  audit: 'audit.exported',
});

export const AuditStats = Exact(
  { total: Count, critical: Count, warning: Count, failed_logins: Count, access_denied: Count, ...searched },
  { title: 'AuditStats' },
);
export type AuditStats = Static<typeof AuditStats>;

export const getAuditStats = routes.define({
  method: 'GET',
  path: '/audit/stats',
  role: 'admin',
  summary: 'Count the records that pass the filter: all, severe ones, failed logins, denied accesses',
  parts: { query: Exact(filters), response: AuditStats },
});

const Position = Exact({ record_id: Count, hash: Type.String() });

export const ChainReport = Exact(
  {
    valid: Type.Boolean(),
    records: Type.Integer({ minimum: 0, description: 'Found whole' }),
    anchor: Position,
    last: Position,
    sealed_id: Nullable(Type.Integer({ description: 'Newest record with a good seal' })),
    problem: Type.Unsafe<{ record_id: number; reason: string } | null>({
      type: ['object', 'null'],
      description: 'The first record that is not as it was written, and why',
      properties: { record_id: Type.Integer(), reason: Type.String() },
      required: ['record_id', 'reason'],
      additionalProperties: false,
    }),
  },
  { title: 'ChainReport' },
);

export const AuditHead = Exact(
  {
    record_id: Type.Integer({ minimum: 0, description: 'The last record that is sealed; 0: the log holds none' }),
    hash: Type.String({ description: 'What it and everything before it come to' }),
    head: Type.String({ description: 'Both with a signature, for npm run verify-audit -- --head <head>' }),
  },
  { title: 'AuditHead' },
);
export type AuditHead = Static<typeof AuditHead>;

export const getAuditHead = routes.define({
  method: 'GET',
  path: '/audit/head',
  role: 'admin',
  summary: 'Seal the audit log and show its signed end, to be kept in another place; 409 when its chain is broken',
  parts: { response: AuditHead },
  errors: ['conflict'],
});

export const verifyAuditLog = routes.define({
  method: 'GET',
  path: '/audit/verify',
  role: 'admin',
  summary: 'Check the whole chain of the audit log; one check at a time',
  parts: { response: ChainReport },
  errors: ['too_many_requests'],
});
