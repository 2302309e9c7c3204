import { auditEventTypes, auditSeverities, type AuditResult } from '@portcullis/contracts/audit-events';
import type { Problem } from '@portcullis/contracts/envelope';
import type { AuditFilters } from '@portcullis/contracts/routes/audit';
import type { Queryable } from '@portcullis/platform/database/database';
import { resolveFilters } from '@portcullis/platform/database/resolve-filters';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { parseTimeWindow, type TimeWindow } from '../alerts/time-window.ts';

/** Which records are wanted; what is absent does not restrict. */
export interface AuditFilter extends TimeWindow {
  readonly actors?: readonly string[] | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly result?: AuditResult | undefined;
  readonly sourceIp?: string | undefined;
  readonly requestId?: string | undefined;
  /** Only records that came before this one. */
  readonly beforeId?: number | undefined;
  /** Part of a text, in any case. */
  readonly search?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly severities?: readonly string[] | undefined;
}

/** The filter with the users looked up that an e-mail address names. @throws {GatewayError} */
export async function loadAuditFilterOrThrow(database: Queryable, query: AuditFilters): Promise<AuditFilter> {
  const filter = parseAuditFilterOrThrow(query, new Date());
  const { user } = await resolveFilters(database, { ...(query.user !== undefined && { user: query.user }) });
  return { ...filter, actors: user?.names };
}

/** What is told without looking anything up. @throws {GatewayError} naming every word and time that is not known */
function parseAuditFilterOrThrow(query: AuditFilters, now: Date): AuditFilter {
  const problems: Problem[] = [];
  const readList = (field: 'event_type' | 'severity', known: readonly string[]): readonly string[] | undefined => {
    const words = query[field]?.split(',').map((word) => word.trim().toLowerCase());
    const unknown = words?.find((word) => !known.includes(word));
    if (unknown !== undefined) {
      problems.push({ path: `/query/${field}`, rule: `must be out of ${known.join(', ')}` });
    }
    return words;
  };

  const filter: AuditFilter = {
    resourceType: query.resource_type,
    resourceId: query.resource_id,
    result: query.result,
    sourceIp: query.source_ip,
    requestId: query.request_id,
    beforeId: query.before_id,
    search: query.search,
    eventTypes: readList('event_type', auditEventTypes),
    severities: readList('severity', auditSeverities),
    ...parseTimeWindow(query, now, problems),
  };
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  return filter;
}
