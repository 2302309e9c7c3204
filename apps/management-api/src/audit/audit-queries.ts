import type { AuditRecord } from '@portcullis/contracts/audit-events';
import type { AuditLog, AuditPage, AuditStats } from '@portcullis/contracts/routes/audit';
import type { Database } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { AuditFilter } from './audit-filter.ts';

/** Columns hold what `recordAudit` and the spool wrote. */
type AuditRow = Omit<AuditRecord, 'kind' | 'timestamp'> & {
  readonly id: number;
  readonly timestamp: Date;
  readonly hash: string;
};

const matching = ({ kysely }: Database, filter: AuditFilter) =>
  kysely.selectFrom('audit_log').where((where) => where.and(conditions(filter, where)));

interface Range {
  readonly limit: number;
  readonly offset: number;
}

export async function loadAuditPage(database: Database, filter: AuditFilter, range: Range): Promise<AuditPage> {
  const [total, rows] = isUnfiltered(filter)
    ? await loadSlice(database, range)
    : await Promise.all([countMatching(database, filter), loadMatching(database, filter, range)]);
  return { logs: rows.map(renderAuditLog), total, ...range };
}

const isUnfiltered = (filter: AuditFilter): boolean => Object.values(filter).every((value) => value === undefined);

/** Without a filter neither counting nor skipping reads any records: their ids have no gaps. */
async function loadSlice({ kysely }: Database, { limit, offset }: Range): Promise<[number, AuditRow[]]> {
  const chain = await kysely.selectFrom('audit_chain').select(['last_id', 'anchor_id']).executeTakeFirstOrThrow();
  const rows = await kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '<=', chain.last_id - offset)
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<AuditRow>()
    .execute();
  return [chain.last_id - chain.anchor_id, rows];
}

const countMatching = async (database: Database, filter: AuditFilter): Promise<number> =>
  (
    await matching(database, filter)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
  ).total;

const loadMatching = (database: Database, filter: AuditFilter, { limit, offset }: Range): Promise<AuditRow[]> =>
  matching(database, filter)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .$castTo<AuditRow>()
    .execute();

/** The matching records before a place in the chain, newest first. */
export const loadAuditBefore = async (
  database: Database,
  filter: AuditFilter,
  before: number,
  limit: number,
): Promise<AuditLog[]> =>
  (
    await matching(database, filter)
      .where('id', '<', before)
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit)
      .$castTo<AuditRow>()
      .execute()
  ).map(renderAuditLog);

export async function findAuditLog({ kysely }: Database, id: number): Promise<AuditLog | undefined> {
  const row = await kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '=', id)
    .$castTo<AuditRow>()
    .executeTakeFirst();
  return row && renderAuditLog(row);
}

export const loadAuditStats = (database: Database, filter: AuditFilter): Promise<AuditStats> =>
  matching(database, filter)
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('severity', '=', 'critical').as('critical'),
      fn.countAll<number>().filterWhere('severity', '=', 'warning').as('warning'),
      fn.countAll<number>().filterWhere('event_type', '=', 'auth.login.failed').as('failed_logins'),
      fn.countAll<number>().filterWhere('event_type', '=', 'security.access.denied').as('access_denied'),
    ])
    .executeTakeFirstOrThrow();

function conditions(filter: AuditFilter, where: ExpressionBuilder<Tables, 'audit_log'>): Expression<SqlBool>[] {
  const { eventTypes, severities, from, to, search } = filter;
  const equal = (column: 'resource_type' | 'resource_id' | 'result' | 'source_ip', value: string | undefined) =>
    value === undefined ? [] : [where(column, '=', value)];
  const any = (column: 'event_type' | 'severity', values: readonly string[] | undefined) =>
    values === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} = any(${values})`];
  return [
    ...any('event_type', eventTypes),
    ...any('severity', severities),
    ...(filter.actor === undefined ? [] : [where('actor_name', '=', filter.actor)]),
    ...equal('resource_type', filter.resourceType),
    ...equal('resource_id', filter.resourceId),
    ...equal('result', filter.result),
    ...equal('source_ip', filter.sourceIp),
    ...(from === undefined ? [] : [where('timestamp', '>=', from)]),
    ...(to === undefined ? [] : [where('timestamp', '<', to)]),
    ...(search === undefined ? [] : [sql<SqlBool>`strpos(lower(${searched}), lower(${search})) > 0`]),
  ];
}

const searched = sql`concat_ws(' ', event_type, action, actor_name, actor_email, resource_type, resource_id,
  resource_name, source_ip, error_message, details)`;

const renderAuditLog = (row: AuditRow): AuditLog => ({
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
