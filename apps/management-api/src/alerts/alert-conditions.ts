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
  ...oneOf('proxy_id', filter.proxyIds),
  ...keyConditions(filter),
  ...oneOf('request_id', filter.requestId === undefined ? undefined : [filter.requestId]),
  ...shadowConditions(filter),
  ...assigneeConditions(filter),
];

/** An identity may be the name of a user, too. */
const keyConditions = ({ keys }: AlertFilter): RawBuilder<SqlBool>[] =>
  keys === undefined ? [] : [sql`user_type = 'apikey'`, ...oneOf('user_identity', keys)];

/** In the words of the index. */
const isShadow = sql`(raw_data ->> 'shadow') = 'true'`;

const shadowConditions = ({ shadow }: AlertFilter): RawBuilder<SqlBool>[] =>
  shadow === undefined ? [] : [shadow ? sql`${isShadow}` : sql`(${isShadow}) is not true`];

const assigneeConditions = ({ assignees }: AlertFilter): RawBuilder<SqlBool>[] => {
  if (assignees === undefined) return [];
  if (assignees === 'unassigned') return [sql`assignee_id is null`];
  if (assignees === 'assigned') return [sql`assignee_id is not null`];
  // Found once, so that the index is asked for their ids.
  return [sql`assignee_id = any(array(select id from users where username = any(${assignees}::text[])))`];
};

/** A filter as what is to be added and taken off. */
export interface SignedFilter {
  readonly sign: 1 | -1;
  readonly filter: AlertFilter;
}

/** What most alerts are, such as unassigned, is counted as all but the few that are not: those have an index. */
export function countedAs({ shadow, assignees, ...rest }: AlertFilter): readonly SignedFilter[] {
  const filter = {
    ...rest,
    ...(shadow === true && { shadow }),
    ...(assignees !== undefined && assignees !== 'unassigned' && { assignees }),
  };
  let counted: readonly SignedFilter[] = [{ sign: 1, filter }];
  if (shadow === false) counted = allBut(counted, { shadow: true });
  if (assignees === 'unassigned') counted = allBut(counted, { assignees: 'assigned' });
  return counted;
}

const allBut = (counted: readonly SignedFilter[], few: AlertFilter): readonly SignedFilter[] =>
  counted.flatMap(({ sign, filter }) => [
    { sign, filter },
    { sign: sign === 1 ? -1 : 1, filter: { ...filter, ...few } },
  ]);

const windowConditions = ({ from, to }: AlertFilter): RawBuilder<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`created_at >= ${from}`]),
  ...(to === undefined ? [] : [sql<SqlBool>`created_at < ${to}`]),
];
