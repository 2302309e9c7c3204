import { Type, type Static, type TSchema } from 'typebox';
import { auditActorTypes, auditEventTypes, auditResults } from './audit-events.ts';
import { ById, EvidenceId, Exact, Nullable, Timestamp, optional } from './fields.ts';
import type { UserRole } from './route.ts';

const Text = Nullable(Type.String());

/** One change of an object, as the audit log has it, without what only admins read there. */
export const HistoryEntry = Exact(
  {
    id: EvidenceId,
    timestamp: Timestamp,
    event_type: Type.Enum(auditEventTypes),
    action: Type.String(),
    result: Type.Enum(auditResults),
    actor: Exact({
      type: Type.Enum(auditActorTypes, { description: 'system: the gateway itself' }),
      name: Text,
      role: Text,
    }),
    changes: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: ['object', 'null'],
      description: 'By field, {from, to}; secrets read [redacted]',
    }),
  },
  { title: 'HistoryEntry' },
);
export type HistoryEntry = Static<typeof HistoryEntry>;

const HistoryPage = Exact({
  history: Type.Array(HistoryEntry),
  next_cursor: Nullable(
    Type.String({
      description: 'The `cursor` that goes on from here, also from a page that is not full; null when this is the last',
    }),
  ),
});
export type HistoryPage = Static<typeof HistoryPage>;

const HistoryQuery = Exact({
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  ...optional({ cursor: Type.String({ maxLength: 200, description: 'The `next_cursor` of the page before' }) }),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

/** The parts of each history. */
export interface HistoryParts<Params extends TSchema = TSchema> {
  readonly params: Params;
  readonly query: typeof HistoryQuery;
  readonly response: typeof HistoryPage;
}

/** The history of one kind of objects, for those who may read the object. */
export const historyOf = (path: string, what: string, role: UserRole = 'viewer') => ({
  method: 'GET' as const,
  path: `${path}/history`,
  role,
  summary: `List who changed ${what}, and what in it, newest first`,
  parts: { params: ById, query: HistoryQuery, response: HistoryPage },
  errors: ['not_found'] as const,
});
