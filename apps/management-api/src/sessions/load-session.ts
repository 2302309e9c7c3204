import type { SessionCall, SessionDetail } from '@portcullis/contracts/routes/sessions';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { parsePositionOrThrow, renderPosition, type RequestPosition } from '../requests/request-cursor.ts';
import { renderRequest, requestColumns, requestJoins, type RequestRow } from '../requests/render-request.ts';
import { renderSession, sessionColumns, type SessionRow } from './session-rows.ts';

const maxTools = 20;

interface CallPage {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * A session with a page of its calls; undefined when there is none of this id.
 * @throws {GatewayError} for a cursor that no page has given
 */
export function loadSession(
  database: Database,
  id: string,
  { limit, cursor }: CallPage,
): Promise<SessionDetail | undefined> {
  const after = cursor === undefined ? undefined : parsePositionOrThrow(cursor);
  return readConsistent(database, async ({ kysely }) => {
    const { rows } = await sql<SessionRow>`
      select ${sessionColumns} from sessions logged where logged.id = ${id}`.execute(kysely);
    const [session] = rows;
    if (session === undefined) return undefined;
    const wanted = callsOf(session, after);
    const calls = [
      ...(await findRequestCalls(kysely, wanted, limit + 1)),
      ...(await findAgentCalls(kysely, wanted, limit + 1)),
    ].toSorted((a, b) => comparePositions(a.position, b.position));
    const page = calls.slice(0, limit);
    const last = calls.length > limit ? page.at(-1) : undefined;
    return {
      session: renderSession(session),
      calls: page.map(({ call }) => call),
      next_cursor: last === undefined ? null : renderPosition(last.position),
    };
  });
}

interface PlacedCall {
  readonly position: RequestPosition;
  readonly call: SessionCall;
}

/** Ids of events are compared as the database does, by their digits. */
const comparePositions = (a: RequestPosition, b: RequestPosition): number =>
  a.timestamp.getTime() - b.timestamp.getTime() || (a.eventId < b.eventId ? -1 : 1);

/** What a call, there called `logged`, has to be; days without any are left out by their times. */
const callsOf = (
  { id, started_at: from, last_at: to }: SessionRow,
  after: RequestPosition | undefined,
): RawBuilder<SqlBool> => sql`
  logged.session_id = ${id} and logged.timestamp between ${after?.timestamp ?? from} and ${to}
  and ${after === undefined ? sql`true` : sql`(logged.timestamp, logged.event_id) > (${after.timestamp}, ${after.eventId}::uuid)`}`;

const inOrder = (limit: number) => sql`order by logged.timestamp, logged.event_id limit ${limit}`;

async function findRequestCalls(
  kysely: Kysely<Tables>,
  wanted: RawBuilder<SqlBool>,
  limit: number,
): Promise<PlacedCall[]> {
  const { rows } = await sql<RequestRow & { readonly tools: string[] }>`
    with called as (select * from request_logs logged where ${wanted} ${inOrder(limit)})
    select ${requestColumns}, array(
      select tool_name from mcp_tool_calls tool
      where tool.proxy_id = logged.proxy_id and tool.timestamp = logged.timestamp and tool.request_id = logged.request_id
      order by tool.id limit ${maxTools}) as tools
    from called logged ${requestJoins}`.execute(kysely);
  return rows.map(({ tools, ...row }) => ({
    position: { timestamp: row.timestamp, eventId: row.event_id },
    call: renderRequestCall(row, tools),
  }));
}

function renderRequestCall(row: RequestRow, tools: string[]): SessionCall {
  const request = renderRequest(row);
  return {
    timestamp: request.timestamp,
    request_id: request.request_id,
    type: request.proxy_type,
    proxy_id: request.proxy_config_id,
    agent_id: null,
    name: request.proxy_name,
    operation: `${request.method} ${request.path}`,
    tools,
    outcome: request.outcome,
    status_code: request.status_code,
    denied_reason: request.denied_reason,
    denied_stage: request.denied_stage,
    risk_level: request.risk_level,
    model: request.model,
    input_tokens: request.input_tokens,
    output_tokens: request.output_tokens,
    cost: request.cost,
    duration_ms: request.duration_ms,
  };
}

interface AgentCallRow {
  readonly event_id: string;
  readonly timestamp: Date;
  readonly request_id: string;
  readonly agent_id: number;
  readonly agent_name: string;
  readonly invocation_type: string;
  readonly response_status: number;
  readonly error: string | null;
  readonly risk_score: number;
  readonly duration_ms: number;
}

async function findAgentCalls(
  kysely: Kysely<Tables>,
  wanted: RawBuilder<SqlBool>,
  limit: number,
): Promise<PlacedCall[]> {
  const { rows } = await sql<AgentCallRow>`
    select logged.event_id, logged.timestamp, logged.request_id, logged.agent_id, logged.agent_name, logged.invocation_type,
      logged.response_status, logged.error, logged.risk_score, logged.duration_ms
    from agent_invocations logged where ${wanted} ${inOrder(limit)}`.execute(kysely);
  return rows.map((row) => ({
    position: { timestamp: row.timestamp, eventId: row.event_id },
    call: renderAgentCall(row),
  }));
}

const renderAgentCall = (row: AgentCallRow): SessionCall => ({
  timestamp: row.timestamp.toISOString(),
  request_id: row.request_id,
  type: 'a2a',
  proxy_id: null,
  agent_id: row.agent_id,
  name: row.agent_name,
  operation: row.invocation_type,
  tools: [],
  outcome: agentOutcome(row),
  status_code: row.response_status,
  denied_reason: row.error,
  denied_stage: null,
  risk_level: riskLevel(row.risk_score),
  model: null,
  input_tokens: null,
  output_tokens: null,
  cost: null,
  duration_ms: row.duration_ms,
});

/** As sessions count them. */
function agentOutcome({ error, response_status: status }: AgentCallRow): SessionCall['outcome'] {
  if (error !== null && status < 500) return 'refused';
  return status >= 400 ? 'failed' : 'passed';
}

/** The score is that of the gravest finding, and a little more for each further rule. */
function riskLevel(score: number): SessionCall['risk_level'] {
  if (score >= 95) return 'Critical';
  if (score >= 75) return 'High';
  if (score >= 50) return 'Medium';
  return score > 0 ? 'Low' : 'None';
}
