import type { Problem } from '@portcullis/contracts/envelope';
import {
  alertActions,
  alertCategories,
  alertStatuses,
  proxyTypes,
  severities,
  type AlertAction,
  type AlertCategory,
  type AlertStatus,
  type ProxyType,
  type Severity,
} from '@portcullis/contracts/records';
import type { AlertFilters, AlertListQuery } from '@portcullis/contracts/routes/alerts';
import type { Queryable } from '@portcullis/platform/database/database';
import { resolveFilters } from '@portcullis/platform/database/resolve-filters';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { parseAlertStatus } from './alert-status.ts';
import { parseTimeWindow, type TimeWindow } from './time-window.ts';

/** Which alerts are wanted; what is absent does not restrict. */
export interface AlertFilter extends TimeWindow {
  readonly severities?: readonly Severity[] | undefined;
  readonly statuses?: readonly AlertStatus[] | undefined;
  readonly categories?: readonly AlertCategory[] | undefined;
  readonly actions?: readonly AlertAction[] | undefined;
  readonly proxyTypes?: readonly ProxyType[] | undefined;
  readonly policyNames?: readonly string[] | undefined;
  readonly ruleIds?: readonly string[] | undefined;
  readonly userIdentities?: readonly string[] | undefined;
  readonly userGroups?: readonly string[] | undefined;
  readonly proxyIds?: readonly number[] | undefined;
  /** Names of API keys. */
  readonly keys?: readonly string[] | undefined;
  readonly requestId?: string | undefined;
  /** What policies in shadow mode found, or all but that. */
  readonly shadow?: boolean | undefined;
  /** Names of users; `assigned` and `unassigned` stand for whether any is. */
  readonly assignees?: readonly string[] | 'assigned' | 'unassigned' | undefined;
  /** Part of a text, in any case. */
  readonly search?: string | undefined;
}

/** The part of a list that is wanted, and the order of the whole. */
export interface AlertPaging {
  readonly sort: 'created_at' | 'severity' | 'status';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  /** Whether the alerts have their `raw_data`. */
  readonly withRawData: boolean;
}

type ListField = 'severity' | 'status' | 'category' | 'action' | 'proxy_type';

interface ParseOptions {
  readonly now?: Date;
  /** Whom `me` stands for. */
  readonly caller?: Caller | undefined;
  /** Of the fields, in what is told of them. */
  readonly path?: string;
}

/** The filter with what it names looked up: alerts have the id of their proxy, all else by name. @throws {GatewayError} */
export async function loadAlertFilterOrThrow(
  database: Queryable,
  query: AlertFilters,
  options: ParseOptions = {},
): Promise<AlertFilter> {
  const filter = parseAlertFilterOrThrow(query, options);
  const { proxy, team, key, user } = await resolveFilters(database, query);
  return {
    ...filter,
    ...(proxy && { proxyIds: proxy.ids }),
    ...(team && { userGroups: team.names }),
    ...(key && { keys: key.names }),
    ...(user && { userIdentities: user.names }),
  };
}

/** What of a filter is told without looking anything up. @throws {GatewayError} naming every word that is not known */
export function parseAlertFilterOrThrow(
  query: AlertFilters,
  { now = new Date(), caller, path = '/query' }: ParseOptions = {},
): AlertFilter {
  const problems: Problem[] = [];
  const read = <Value extends string>(
    field: ListField,
    known: readonly Value[],
    parse = (word: string) => findWord(known, word),
  ): readonly Value[] | undefined =>
    splitList(query[field])?.flatMap((word) => {
      const value = parse(word);
      if (value !== undefined) return value;
      problems.push({ path: `${path}/${field}`, rule: `must be out of ${known.join(', ')}` });
      return [];
    });

  const filter: AlertFilter = {
    severities: read('severity', severities),
    statuses: read('status', alertStatuses, parseAlertStatus),
    categories: read('category', alertCategories),
    actions: read('action', alertActions),
    proxyTypes: read('proxy_type', proxyTypes),
    policyNames: splitList(query.policy_name),
    ruleIds: splitList(query.rule_id),
    requestId: query.request_id,
    shadow: query.shadow,
    assignees: parseAssignees(splitList(query.assignee), caller, (rule) => {
      problems.push({ path: `${path}/assignee`, rule });
    }),
    search: query.search?.trim() === '' ? undefined : query.search?.trim(),
    ...parseTimeWindow(query, now, problems, path),
  };
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  return filter;
}

/** `page` counts from 1 and takes the place of `offset`. */
export function parsePagingOrThrow({
  sort,
  order,
  limit,
  offset,
  page,
  include_raw_data: withRawData,
}: AlertListQuery): AlertPaging {
  if (page !== undefined && offset !== undefined) {
    throw new GatewayError('bad_request', { problems: [{ path: '/query/page', rule: 'cannot stand beside offset' }] });
  }
  return { sort, order, limit, offset: page === undefined ? (offset ?? 0) : (page - 1) * limit, withRawData };
}

function parseAssignees(
  names: readonly string[] | undefined,
  caller: Caller | undefined,
  refuse: (rule: string) => void,
): AlertFilter['assignees'] {
  if (names?.includes('none') !== true)
    return names?.map((name) => (name === 'me' && caller?.kind === 'user' ? caller.username : name));
  if (names.length > 1) refuse('must not have names beside none');
  return 'unassigned';
}

/** What is empty does not restrict. */
function splitList(list: string | undefined): readonly string[] | undefined {
  const words = list
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words?.length === 0 ? undefined : words;
}

const findWord = <Value extends string>(known: readonly Value[], word: string): Value | undefined =>
  known.find((value) => value.toLowerCase() === word.toLowerCase().replaceAll('_', ' '));
