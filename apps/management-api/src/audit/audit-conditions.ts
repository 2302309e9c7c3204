import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { AuditFilter } from './audit-filter.ts';

/** Records after one place in the chain, up to another. */
export interface IdSpan {
  readonly after: number;
  readonly upTo: number;
}

type Where = ExpressionBuilder<Tables, 'audit_log'>;

/** The conditions of a filter on the table `audit_log`, apart from its search, within a span. */
export const auditConditions = (where: Where, filter: AuditFilter, { after, upTo }: IdSpan): Expression<SqlBool> =>
  where.and([
    where('id', '>', after),
    where('id', '<=', upTo),
    ...oneOf(where, 'event_type', filter.eventTypes),
    ...oneOf(where, 'severity', filter.severities),
    ...equal(where, 'result', filter.result),
    ...oneOf(where, 'actor_name', filter.actors),
    ...equal(where, 'resource_type', filter.resourceType),
    ...equal(where, 'resource_id', filter.resourceId),
    ...equal(where, 'source_ip', filter.sourceIp),
    ...equal(where, 'request_id', filter.requestId),
    ...(filter.from === undefined ? [] : [where('timestamp', '>=', filter.from)]),
    ...(filter.to === undefined ? [] : [where('timestamp', '<', filter.to)]),
  ]);

type Column = 'result' | 'resource_type' | 'resource_id' | 'source_ip' | 'request_id';

const equal = (where: Where, column: Column, value: string | undefined) =>
  value === undefined ? [] : [where(column, '=', value)];

/** A single value as an equation: then an index that starts with the column has the rows in order. */
const oneOf = (
  where: Where,
  column: 'event_type' | 'severity' | 'actor_name',
  values: readonly string[] | undefined,
) => {
  if (values === undefined) return [];
  const [value = ''] = values;
  return [values.length === 1 ? where(column, '=', value) : where(column, 'in', values)];
};

/** The counters of a filter in some blocks: of all actors, or of one. */
export const counterConditions = (
  where: ExpressionBuilder<Tables, 'audit_block_counts'>,
  { actors, eventTypes, severities, result, resourceType }: AuditFilter,
  blocks: readonly number[],
): Expression<SqlBool> =>
  where.and([
    where('actor', 'in', actors ?? ['']),
    where('block', '=', sql<number>`any(${blocks})`),
    ...(eventTypes === undefined ? [] : [where('event_type', 'in', eventTypes)]),
    ...(severities === undefined ? [] : [where('severity', 'in', severities)]),
    ...(result === undefined ? [] : [where('result', '=', result)]),
    ...(resourceType === undefined ? [] : [where('resource_type', '=', resourceType)]),
  ]);
