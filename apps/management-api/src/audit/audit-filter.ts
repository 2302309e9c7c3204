import { auditEventTypes, auditSeverities, type AuditResult } from '@portcullis/contracts/audit-events';
import type { Problem } from '@portcullis/contracts/envelope';
import type { AuditFilters } from '@portcullis/contracts/routes/audit';
import { GatewayError } from '@portcullis/platform/http/gateway-error';

/** Which records are wanted; what is absent does not restrict. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly result?: AuditResult | undefined;
  readonly sourceIp?: string | undefined;
  /** Only records that came before this one. */
  readonly beforeId?: number | undefined;
  /** Part of a text, in any case. */
  readonly search?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly severities?: readonly string[] | undefined;
  /** Included. */
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
}

/** @throws {GatewayError} naming every word and time that is not known */
export function parseAuditFilterOrThrow(query: AuditFilters, now: Date): AuditFilter {
  const problems: Problem[] = [];
  const readList = (field: 'event_type' | 'severity', known: readonly string[]): readonly string[] | undefined => {
    const words = query[field]?.split(',').map((word) => word.trim().toLowerCase());
    const unknown = words?.find((word) => !known.includes(word));
    if (unknown !== undefined) {
      problems.push({ path: `/query/${field}`, rule: `must be out of ${known.join(', ')}` });
    }
    return words;
  };
  const readTime = (field: 'date_from' | 'date_to', wholeDayMs: number): Date | undefined => {
    const text = query[field];
    if (text === undefined) return undefined;
    const time = Date.parse(text);
    if (!isReal(text, time)) problems.push({ path: `/query/${field}`, rule: 'must be a day or time that exists' });
    return new Date(time + (text.length === dayLength ? wholeDayMs : 0));
  };

  const filter: AuditFilter = {
    actor: query.actor,
    resourceType: query.resource_type,
    resourceId: query.resource_id,
    result: query.result,
    sourceIp: query.source_ip,
    beforeId: query.before_id,
    search: query.search,
    eventTypes: readList('event_type', auditEventTypes),
    severities: readList('severity', auditSeverities),
    from: laterOf(readTime('date_from', 0), rangeStart(query.time_range, now)),
    to: readTime('date_to', dayMs),
  };
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  return filter;
}

const dayMs = 86_400_000;
const dayLength = 'YYYY-MM-DD'.length;

/** 30 February parses, as 2 March. */
const isReal = (text: string, time: number): boolean =>
  !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, dayLength));

/** Reads what the contract lets pass: a number and m, h or d. */
const rangeStart = (range: string | undefined, now: Date): Date | undefined =>
  range === undefined
    ? undefined
    : new Date(now.getTime() - Number.parseInt(range, 10) * ({ m: 60_000, h: 3_600_000 }[range.at(-1) ?? ''] ?? dayMs));

const laterOf = (a: Date | undefined, b: Date | undefined): Date | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
