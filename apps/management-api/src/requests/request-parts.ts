import type { GuardrailCheck } from '@portcullis/contracts/routes/guardrail-checks';
import type { RequestDetail } from '@portcullis/contracts/routes/requests';
import { alertColumns, renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder } from 'kysely';

/** Of each kind, for one id. */
const maxParts = 100;
/** What belongs to a request is recorded while it runs, and a while after by those who judge it in the background. */
const settleMs = 60_000;
/** How far the clock that dates a request may be from the one in its id: they are read one after the other. */
export const idToleranceMs = 2_000;

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** When something may have been recorded of them. Apart: years may lie between requests that a client gave one id. */
export function periodsOf(
  parts: readonly { readonly timestamp: Date; readonly duration_ms: number }[],
): readonly Period[] {
  const periods: Period[] = [];
  for (const part of parts.toSorted((a, b) => a.timestamp.getTime() - b.timestamp.getTime())) {
    const from = new Date(part.timestamp.getTime() - idToleranceMs);
    const to = new Date(part.timestamp.getTime() + part.duration_ms + settleMs);
    const last = periods.at(-1);
    if (last === undefined || last.to < from) periods.push({ from, to });
    else periods[periods.length - 1] = { from: last.from, to: last.to > to ? last.to : to };
  }
  return periods;
}

/** As a table: each is looked up in an index by itself. */
const tableOf = (periods: readonly Period[]): RawBuilder<unknown> => sql`
  unnest(${periods.map(({ from }) => from.toISOString())}::timestamptz[],
    ${periods.map(({ to }) => to.toISOString())}::timestamptz[]) as period(since, until)`;

export async function findAlerts(kysely: Kysely<Tables>, requestId: string, periods: readonly Period[]) {
  const { rows } = await sql<AlertRow>`
    select ${alertColumns} from alerts where id = any(array(
      select found.id from ${tableOf(periods)} cross join lateral (
        select id, created_at from alerts where deleted_at is null and request_id = ${requestId}
          and created_at between period.since and period.until
        order by created_at, id limit ${maxParts}) found
      order by found.created_at, found.id limit ${maxParts}))
    order by created_at, id`.execute(kysely);
  return rows.map(renderAlert);
}

type CheckRow = Omit<GuardrailCheck, 'timestamp'> & { readonly event_id: string; readonly timestamp: Date };
type ToolCallRow = Omit<RequestDetail['tool_calls'][number], 'timestamp'> & { readonly timestamp: Date };

export async function findChecks(
  kysely: Kysely<Tables>,
  requestId: string,
  periods: readonly Period[],
): Promise<GuardrailCheck[]> {
  const { rows } = await sql<CheckRow>`
    select found.* from ${tableOf(periods)} cross join lateral (
      select * from guardrail_checks checked where checked.timestamp between period.since and period.until
        and checked.request_id = ${requestId}
      order by checked.timestamp, checked.id limit ${maxParts}) found
    order by found.timestamp, found.id limit ${maxParts}`.execute(kysely);
  return rows.map(({ event_id: _eventId, ...row }) => withTime(row));
}

/** They are dated as their requests are. */
export async function findToolCalls(kysely: Kysely<Tables>, requestId: string, times: readonly Date[]) {
  const moments = [...new Set(times.map((time) => time.toISOString()))];
  const { rows } = await sql<ToolCallRow>`
    select found.* from unnest(${moments}::timestamptz[]) as moment(at) cross join lateral (
      select id, timestamp, tool_name, outcome, duration_ms from mcp_tool_calls called
      where called.timestamp = moment.at and called.request_id = ${requestId}
      order by called.id limit ${maxParts}) found
    order by found.timestamp, found.id limit ${maxParts}`.execute(kysely);
  return rows.map(withTime);
}

export const withTime = <Row extends { readonly timestamp: Date }>(row: Row) => ({
  ...row,
  timestamp: row.timestamp.toISOString(),
});
