import type { Alert } from '@portcullis/contracts/events';
import type { AlertStatus } from '@portcullis/contracts/records';
import type { AlertPage } from '@portcullis/contracts/routes/alerts';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { AlertFilter } from './alert-filter.ts';

const columns = [
  'id',
  'request_id',
  'severity',
  'title',
  'description',
  'status',
  'action',
  'category',
  'proxy_id',
  'proxy_type',
  'source',
  'target',
  'rule_id',
  'policy_name',
  'user_identity',
  'user_type',
  'user_group',
  'raw_data',
  'created_at',
  'updated_at',
] as const;

const alerts = ({ kysely }: Queryable) => kysely.selectFrom('alerts').where('deleted_at', 'is', null);

export async function loadAlertPage(database: Queryable, filter: AlertFilter): Promise<AlertPage> {
  const wanted = alerts(database).where((where) => where.and(conditions(filter, where)));
  const { total } = await wanted.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await wanted
    .select(columns)
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .$castTo<AlertRow>()
    .execute();
  return { alerts: rows.map(renderAlert), total, limit: filter.limit, offset: filter.offset };
}

export const findAlert = (database: Queryable, id: number): Promise<AlertRow | undefined> =>
  alerts(database).select(columns).where('id', '=', id).$castTo<AlertRow>().executeTakeFirst();

/** Moves an alert that still has the status `from`; undefined when it has not. */
export const updateAlertStatus = (
  { kysely }: Queryable,
  id: number,
  from: AlertStatus,
  to: AlertStatus,
): Promise<AlertRow | undefined> =>
  kysely
    .updateTable('alerts')
    .set({ status: to, updated_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', from)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .$castTo<AlertRow>()
    .executeTakeFirst();

function conditions(filter: AlertFilter, where: ExpressionBuilder<Tables, 'alerts'>): Expression<SqlBool>[] {
  const { severities, statuses, proxyTypes, policyNames, maxAgeSeconds, search, proxyId } = filter;
  const any = (column: 'severity' | 'status' | 'proxy_type' | 'policy_name', values: readonly string[] | undefined) =>
    values === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} = any(${values})`];
  return [
    ...any('severity', severities),
    ...any('status', statuses),
    ...any('proxy_type', proxyTypes),
    ...any('policy_name', policyNames),
    ...(proxyId === undefined ? [] : [where('proxy_id', '=', proxyId)]),
    ...(maxAgeSeconds === undefined
      ? []
      : [where('created_at', '>', sql<Date>`now() - make_interval(secs => ${maxAgeSeconds})`)]),
    ...(search === undefined
      ? []
      : [
          sql<SqlBool>`strpos(lower(concat_ws(' ', title, description, rule_id, policy_name, source, target)), lower(${search})) > 0`,
        ]),
  ];
}

/** Columns hold nothing but what the spool's alert records have, see `AlertRecord`. */
type AlertRow = Omit<Alert, 'created_at' | 'updated_at'> & { readonly created_at: Date; readonly updated_at: Date };

export const renderAlert = ({ created_at: createdAt, updated_at: updatedAt, ...same }: AlertRow) => ({
  ...same,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
