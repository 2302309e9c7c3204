import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { AlertFilter } from './alert-filter.ts';

/** The SQL of a filter on the table `alerts`, apart from its search. */
export const alertConditions = (filter: AlertFilter): RawBuilder<SqlBool> =>
  all([sql<SqlBool>`deleted_at is null`, ...fieldConditions(filter), ...windowConditions(filter)]);

export const all = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

/** A single value as an equation: then an index that starts with the column has the rows in order. */
export const oneOf = (column: string, values: readonly (string | number)[] | undefined): RawBuilder<SqlBool>[] => {
  if (values === undefined) return [];
  const [value] = values;
  return [
    values.length === 1 ? sql`${sql.ref(column)} = ${value}` : sql`${sql.ref(column)} = any(${[...new Set(values)]})`,
  ];
};

const fieldConditions = (filter: AlertFilter): RawBuilder<SqlBool>[] => [
  ...oneOf('severity', filter.severities),
  ...oneOf('status', filter.statuses),
  ...oneOf('category', filter.categories),
  ...oneOf('action', filter.actions),
  ...oneOf('proxy_type', filter.proxyTypes),
  ...oneOf('policy_name', filter.policyNames),
  ...oneOf('rule_id', filter.ruleIds),
  ...oneOf('user_identity', filter.userIdentities),
  ...oneOf('user_group', filter.userGroups),
  ...oneOf('proxy_id', filter.proxyId === undefined ? undefined : [filter.proxyId]),
];

const windowConditions = ({ from, to }: AlertFilter): RawBuilder<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`created_at >= ${from}`]),
  ...(to === undefined ? [] : [sql<SqlBool>`created_at < ${to}`]),
];
