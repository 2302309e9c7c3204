import type { Problem } from '@portcullis/contracts/envelope';
import type { RequestOutcome, RequestQuery } from '@portcullis/contracts/routes/requests';
import type { Queryable } from '@portcullis/platform/database/database';
import { resolveFilters, type ResolvedFilters } from '@portcullis/platform/database/resolve-filters';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { all, oneOf } from '../alerts/alert-conditions.ts';
import { parseTimeWindow, type TimeWindow } from '../alerts/time-window.ts';

/** Which requests are wanted. */
export interface RequestFilter {
  readonly window: TimeWindow;
  readonly proxyIds: readonly number[] | undefined;
  /** What a row of `request_logs`, there called `logged`, has to be beyond that. Undefined: any. */
  readonly condition: RawBuilder<SqlBool> | undefined;
}

/** @throws {GatewayError} for times that do not exist */
export async function loadRequestFilterOrThrow(
  database: Queryable,
  query: RequestQuery,
  now = new Date(),
): Promise<RequestFilter> {
  const problems: Problem[] = [];
  const window = parseTimeWindow(query, now, problems);
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  const named = await resolveFilters(database, query);
  const conditions = [...logConditions(query), ...callerConditions(named), ...joinedConditions(query)];
  return { window, proxyIds: named.proxy?.ids, condition: conditions.length === 0 ? undefined : all(conditions) };
}

const equalColumns = {
  stage: 'logged.denied_stage',
  reason: 'logged.denied_reason',
  risk_level: 'logged.risk_level',
  request_id: 'logged.request_id',
  session: 'logged.session_id',
} as const;

/** Of a row of `request_logs`, there called `logged`. */
export const outcomes: Readonly<Record<RequestOutcome, RawBuilder<SqlBool>>> = {
  passed: sql`logged.denied_reason is null and logged.target_problem is null and logged.status_code < 400`,
  refused: sql`logged.denied_reason is not null and logged.target_problem is null`,
  failed: sql`(logged.target_problem is not null or (logged.denied_reason is null and logged.status_code >= 400))`,
};

type LogQuery = Pick<RequestQuery, keyof typeof equalColumns | 'outcome' | 'exception' | 'status' | 'search'>;

/** What a row of `request_logs`, there called `logged`, has to be for these fields. */
export function logConditions(query: LogQuery): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  for (const [field, column] of Object.entries(equalColumns)) {
    const value = query[field as keyof typeof equalColumns];
    if (value !== undefined) conditions.push(sql`${sql.ref(column)} = ${value}`);
  }
  if (query.outcome !== undefined) conditions.push(outcomes[query.outcome]);
  if (query.exception !== undefined)
    conditions.push(sql`logged.exceptions @> ${JSON.stringify([query.exception])}::jsonb`);
  if (query.status !== undefined) conditions.push(sql`(${sql.join(query.status.split(',').map(inRange), sql` or `)})`);
  if (query.search !== undefined) {
    conditions.push(sql`(strpos(lower(logged.path), lower(${query.search})) > 0
      or logged.request_id = ${query.search} or logged.client_ip = ${query.search})`);
  }
  return conditions;
}

/** Whose a row of `request_logs` or `sessions`, there called `logged`, has to be. */
export const callerConditions = ({ team, key, user }: ResolvedFilters): RawBuilder<SqlBool>[] => [
  ...(team === undefined ? [] : oneOf('logged.user_group_id', team.ids)),
  ...(key === undefined ? [] : oneOf('logged.api_key_id', key.ids)),
  ...(user === undefined
    ? []
    : [sql<SqlBool>`(logged.user_id = any(${user.userIds}::int[]) or logged.api_key_id = any(${user.keyIds}::int[]))`]),
];

/** `5xx` is 500-599, `404` itself. */
const inRange = (status: string): RawBuilder<SqlBool> =>
  sql`logged.status_code between ${Number(status.replaceAll('x', '0'))} and ${Number(status.replaceAll('x', '9'))}`;

/**
 * What another table tells of the request; what was called and counted of it is dated as it is. Each is looked up for one
 * request: `exists` would let the planner read all that was ever counted.
 */
function joinedConditions({ tool, model, min_cost: minCost }: RequestQuery): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (tool !== undefined) {
    conditions.push(sql`(select true from mcp_tool_calls called
      where called.proxy_id = logged.proxy_id and called.tool_name = ${tool}
      and called.timestamp = logged.timestamp and called.request_id = logged.request_id limit 1)`);
  }
  if (model !== undefined || minCost !== undefined) {
    conditions.push(sql`(select true from usage_records counted
      where counted.timestamp = logged.timestamp and counted.event_id = logged.event_id
      and ${model === undefined ? sql`true` : sql`counted.model = ${model}`}
      and ${minCost === undefined ? sql`true` : sql`counted.cost_micro_usd >= ${Math.ceil(minCost * 1e6)}`} limit 1)`);
  }
  return conditions;
}
