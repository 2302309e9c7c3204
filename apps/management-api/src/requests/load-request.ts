import type { RequestDetail } from '@portcullis/contracts/routes/requests';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { findProxies } from './find-proxies.ts';
import { findAlerts, findChecks, findToolCalls, idToleranceMs, periodsOf, withTime } from './request-parts.ts';
import { renderDetailedRequest, requestColumns, requestJoins, type RequestRow } from './render-request.ts';

const maxSame = 20;

/** Everything that was recorded under an id; undefined when nothing was. */
export const loadRequest = (database: Database, requestId: string): Promise<RequestDetail | undefined> =>
  readConsistent(database, async ({ kysely }) => {
    const requests = await findByRequestId(kysely, requestId);
    const agentCalls = await findAgentCalls(kysely, requestId);
    const times = [...requests, ...agentCalls];
    if (times.length === 0) return undefined;
    const periods = periodsOf(times);
    return {
      request_id: requestId,
      requests: requests.map(renderDetailedRequest),
      alerts: await findAlerts(kysely, requestId, periods),
      guardrail_checks: await findChecks(kysely, requestId, periods),
      tool_calls: await findToolCalls(
        kysely,
        requestId,
        requests.map(({ timestamp }) => timestamp),
      ),
      agent_calls: agentCalls.map(({ exceptions: _exceptions, ...call }) => withTime(call)),
      exceptions: [...new Set([...requests, ...agentCalls].flatMap((row) => (row.exceptions ?? []) as number[]))],
      prompts: {
        injected: [...new Set(requests.flatMap((row) => row.injected_prompts ?? []))],
        skipped: [...new Set(requests.flatMap((row) => row.skipped_prompts ?? []))],
      },
    };
  });

/**
 * Ids that the gateway made hold their time; the others have an index. A client may give the id of somebody else's request:
 * neither hides the other.
 */
async function findByRequestId(kysely: Kysely<Tables>, requestId: string): Promise<readonly RequestRow[]> {
  const find = async (condition: RawBuilder<SqlBool>, limit: number): Promise<RequestRow[]> => {
    const { rows } = await sql<RequestRow>`
      with same as (
        select * from request_logs logged where ${condition}
        order by logged.timestamp desc, logged.event_id desc limit ${limit})
      select ${requestColumns} from same logged ${requestJoins}
      order by logged.timestamp desc, logged.event_id desc`.execute(kysely);
    return rows;
  };
  const made = timeOfId(requestId);
  const own = made === undefined ? [] : await find(ownIdConditions(requestId, made, await findProxies(kysely)), 1);
  const given = sql<SqlBool>`logged.request_id = ${requestId} and logged.request_id <> logged.event_id::text`;
  const rows = [...own, ...(await find(given, maxSame - own.length))];
  return rows.toSorted((a, b) => b.timestamp.getTime() - a.timestamp.getTime());
}

/** The primary key begins with the proxy. */
const ownIdConditions = (requestId: string, made: number, proxies: readonly number[]): RawBuilder<SqlBool> =>
  sql`logged.event_id = ${requestId}::uuid and logged.request_id = ${requestId} and logged.timestamp
    between ${new Date(made - idToleranceMs)} and ${new Date(made + idToleranceMs)}
    and logged.proxy_id = any(${proxies}::int[])`;

const dayMs = 86_400_000;
const version7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Milliseconds since 1970 that a UUID of version 7 begins with (RFC 9562); undefined for those of days to come, which no gateway has made. */
function timeOfId(id: string): number | undefined {
  const [, high, low] = version7.exec(id) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const made = Number.parseInt(high + low, 16);
  return made < Date.now() + dayMs ? made : undefined;
}

const findAgentCalls = (kysely: Kysely<Tables>, requestId: string) =>
  kysely
    .selectFrom('agent_invocations')
    .select(['id', 'timestamp', 'agent_id', 'agent_name', 'invocation_type', 'response_status', 'error'])
    .select(['task_id', 'context_id', 'blocked', 'duration_ms', 'exceptions'])
    .where('request_id', '=', requestId)
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSame)
    .execute();
