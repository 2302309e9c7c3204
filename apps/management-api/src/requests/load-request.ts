import type { RequestDetail } from '@portcullis/contracts/routes/requests';
import type { GuardrailCheck } from '@portcullis/contracts/routes/guardrail-checks';
import { alertColumns, renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { renderRequest, requestColumns, requestJoins, type RequestRow } from './render-request.ts';

const maxSame = 20;
const maxParts = 100;
/** What belongs to a request is recorded while it runs, and a while after by those who judge it in the background. */
const settleMs = 60_000;

/** Everything that was recorded under an id; undefined when nothing was. */
export const loadRequest = (database: Database, requestId: string): Promise<RequestDetail | undefined> =>
  readConsistent(database, async ({ kysely }) => {
    const requests = await findByRequestId(kysely, requestId);
    const agentCalls = await findAgentCalls(kysely, requestId);
    const times = [...requests, ...agentCalls];
    if (times.length === 0) return undefined;
    const within = periodOf(times);
    return {
      request_id: requestId,
      requests: requests.map(renderRequest),
      alerts: await findAlerts(kysely, requestId, within),
      guardrail_checks: await findChecks(kysely, requestId, within),
      tool_calls: await findToolCalls(kysely, requestId, within),
      agent_calls: agentCalls.map(withTime),
      prompts: {
        injected: [...new Set(requests.flatMap((row) => row.injected_prompts ?? []))],
        skipped: [...new Set(requests.flatMap((row) => row.skipped_prompts ?? []))],
      },
    };
  });

/** Ids that the gateway made hold their time; the others have an index. */
async function findByRequestId(kysely: Kysely<Tables>, requestId: string): Promise<readonly RequestRow[]> {
  const made = timeOfId(requestId);
  const ofId = made === undefined ? undefined : ownIdConditions(requestId, made);
  for (const condition of [
    ofId,
    sql<SqlBool>`logged.request_id = ${requestId} and logged.request_id <> logged.event_id::text`,
  ]) {
    if (condition === undefined) continue;
    const { rows } = await sql<RequestRow>`
      with same as (
        select * from request_logs logged where ${condition}
        order by logged.timestamp desc, logged.event_id desc limit ${maxSame})
      select ${requestColumns} from same logged ${requestJoins}
      order by logged.timestamp desc, logged.event_id desc`.execute(kysely);
    if (rows.length > 0) return rows;
  }
  return [];
}

/** How far the clock that dates a request may be from the one in its id: they are read one after the other. */
const idToleranceMs = 2_000;

const ownIdConditions = (requestId: string, made: number): RawBuilder<SqlBool> =>
  sql`logged.event_id = ${requestId}::uuid and logged.timestamp
    between ${new Date(made - idToleranceMs)} and ${new Date(made + idToleranceMs)}
    and logged.proxy_id = any(array(select distinct proxy_id from hourly_requests
      where hour between ${new Date(made - hourMs)} and ${new Date(made + hourMs)}))`;

const hourMs = 3_600_000;
const version7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Milliseconds since 1970 that a UUID of version 7 begins with (RFC 9562). */
function timeOfId(id: string): number | undefined {
  const [, high, low] = version7.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}

interface Period {
  readonly from: Date;
  readonly to: Date;
}

const periodOf = (parts: readonly { readonly timestamp: Date; readonly duration_ms: number }[]): Period => ({
  from: new Date(Math.min(...parts.map(({ timestamp }) => timestamp.getTime())) - idToleranceMs),
  to: new Date(Math.max(...parts.map((part) => part.timestamp.getTime() + part.duration_ms)) + settleMs),
});

async function findAlerts(kysely: Kysely<Tables>, requestId: string, { from, to }: Period) {
  const { rows } = await sql<AlertRow>`
    select ${alertColumns} from alerts
    where deleted_at is null and request_id = ${requestId} and created_at between ${from} and ${to}
    order by created_at, id limit ${maxParts}`.execute(kysely);
  return rows.map(renderAlert);
}

async function findChecks(kysely: Kysely<Tables>, requestId: string, { from, to }: Period): Promise<GuardrailCheck[]> {
  const rows = await kysely
    .selectFrom('guardrail_checks')
    .selectAll()
    .where('timestamp', '>=', from)
    .where('timestamp', '<=', to)
    .where('request_id', '=', requestId)
    .orderBy('timestamp')
    .orderBy('id')
    .limit(maxParts)
    .execute();
  const checks = rows.map(({ event_id: _eventId, timestamp, ...row }) => ({
    ...row,
    timestamp: timestamp.toISOString(),
  }));
  // What is stored came through the records' types.
  return checks as GuardrailCheck[];
}

async function findToolCalls(kysely: Kysely<Tables>, requestId: string, { from, to }: Period) {
  const rows = await kysely
    .selectFrom('mcp_tool_calls')
    .select(['id', 'timestamp', 'tool_name', 'outcome', 'duration_ms'])
    .where('timestamp', '>=', from)
    .where('timestamp', '<=', to)
    .where('request_id', '=', requestId)
    .orderBy('timestamp')
    .orderBy('id')
    .limit(maxParts)
    .execute();
  return rows.map(withTime);
}

const findAgentCalls = (kysely: Kysely<Tables>, requestId: string) =>
  kysely
    .selectFrom('agent_invocations')
    .select(['id', 'timestamp', 'agent_id', 'agent_name', 'invocation_type', 'response_status', 'error'])
    .select(['task_id', 'context_id', 'blocked', 'duration_ms'])
    .where('request_id', '=', requestId)
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSame)
    .execute();

const withTime = <Row extends { readonly timestamp: Date }>(row: Row) => ({
  ...row,
  timestamp: row.timestamp.toISOString(),
});
