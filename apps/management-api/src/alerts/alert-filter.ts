import type { Problem } from '@portcullis/contracts/envelope';
import { alertStatuses, severities, type AlertStatus, type Severity } from '@portcullis/contracts/records';
import { alertProxyTypes, type AlertFilters } from '@portcullis/contracts/routes/alerts';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { parseAlertStatus } from './alert-status.ts';

/** Which alerts are wanted; what is absent does not restrict. */
export interface AlertFilter {
  readonly severities?: readonly Severity[] | undefined;
  readonly statuses?: readonly AlertStatus[] | undefined;
  readonly proxyTypes?: readonly (typeof alertProxyTypes)[number][] | undefined;
  readonly policyNames?: readonly string[] | undefined;
  readonly maxAgeSeconds?: number | undefined;
  /** Part of a text, in any case. */
  readonly search?: string | undefined;
  readonly proxyId?: number;
  readonly limit: number;
  readonly offset: number;
}

/** @throws {GatewayError} naming every word that is not known */
export function parseAlertFilterOrThrow(query: AlertFilters): AlertFilter {
  const problems: Problem[] = [];
  const read = <Value extends string>(
    field: 'severity' | 'status' | 'proxy_type',
    known: readonly Value[],
    parse: (word: string) => Value | undefined,
  ): readonly Value[] | undefined =>
    splitList(query[field])?.flatMap((word) => {
      const value = parse(word);
      if (value !== undefined) return value;
      problems.push({ path: `/query/${field}`, rule: `must be out of ${known.join(', ')}` });
      return [];
    });

  const filter: AlertFilter = {
    severities: read('severity', severities, (word) => findWord(severities, word)),
    statuses: read('status', alertStatuses, parseAlertStatus),
    proxyTypes: read('proxy_type', alertProxyTypes, (word) => findWord(alertProxyTypes, word)),
    policyNames: splitList(query.policy_name),
    maxAgeSeconds: query.time_range === undefined ? undefined : parseSeconds(query.time_range),
    search: query.search,
    limit: query.limit,
    offset: query.offset,
  };
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  return filter;
}

const splitList = (list: string | undefined): readonly string[] | undefined =>
  list
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const findWord = <Value extends string>(known: readonly Value[], word: string): Value | undefined =>
  known.find((value) => value.toLowerCase() === word.toLowerCase());

/** Reads what the contract lets pass: a number and m, h or d. */
const parseSeconds = (range: string): number =>
  Number.parseInt(range, 10) * ({ m: 60, h: 3_600, d: 86_400 }[range.at(-1) ?? ''] ?? 0);
