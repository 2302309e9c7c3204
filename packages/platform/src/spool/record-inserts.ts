import { auditEventTopic, sentAuditEvents } from '@portcullis/contracts/gateway-events';
import type { SpoolRecordKind } from '@portcullis/contracts/records';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { prepare } from '../database/prepared.ts';
import { takesEvents } from '../deliveries/record-events.ts';
import type { Tables } from '../database/tables.ts';
import { insertRequests } from './insert-requests.ts';
import { insertUsage, replaceRoughUsage } from './insert-usage.ts';
import { recordColumns, type ColumnTypes } from './record-columns.ts';
import type { RowKind } from './record-row.ts';
import { countExceptions } from './count-exceptions.ts';
import { columns, ids, recordset, rowset, utcDay } from './record-sql.ts';
import { sumAgentCalls } from './sum-sessions.ts';

/** Inserts records, with what follows from them. */
type Insert = (kysely: Kysely<Tables>, records: string) => Promise<unknown>;

export interface Inserts {
  /** Of records that are given as a JSON array. */
  readonly objects: Readonly<Record<SpoolRecordKind, Insert>>;
  /** Of records that are given as rows, one in each line: of the types before, and of those that are written. */
  readonly row: Readonly<Record<RowKind, Insert>>;
  readonly row_2: Readonly<Record<RowKind, Insert>>;
}

const { alert, audit, canary_planted: planted, canary_seen: seen } = recordColumns;
const { guardrail_check: check, tool_call: toolCall, tool_sighting: sighting } = recordColumns;
const { agent_invocation: invocation, agent_task: agentTask, trace_content: traceContent } = recordColumns;

/** Records of a table with their own columns, which say nothing to any other table. */
const insertRows = (name: string, table: keyof Tables, types: ColumnTypes): Insert =>
  prepare(
    name,
    () => sql`
      insert into ${sql.table(table)} (${columns(types)})
      select ${columns(types)} from ${recordset(types)}
      on conflict do nothing`,
  );

const others: Readonly<Record<Exclude<SpoolRecordKind, RowKind>, Insert>> = {
  usage_counted: prepare('save_counted_usage', replaceRoughUsage),

  canary_planted: prepare(
    'save_canaries',
    () => sql`
      insert into canaries (planted_at, ${columns(withoutTime(planted))})
      select timestamp, ${columns(withoutTime(planted))} from ${recordset(planted)}
      on conflict do nothing`,
  ),

  canary_seen: prepare(
    'save_canary_sightings',
    () => sql`
      insert into canary_sightings (event_id, seen_at, ${columns(withoutTime(seen))})
      select event_id, timestamp, ${columns(withoutTime(seen))} from ${recordset(seen)}
      on conflict do nothing`,
  ),

  guardrail_check: insertRows('save_checks', 'guardrail_checks', check),

  /** Each new call counts for its day; one that was blocked was not made, and counts apart. */
  tool_call: prepare(
    'save_tool_calls',
    () => sql`
      with added as (
        insert into mcp_tool_calls (${columns(toolCall)})
        select ${columns(toolCall)} from ${recordset(toolCall)}
        on conflict do nothing
        returning ${utcDay('timestamp')} as day, ${ids}, tool_name, outcome, timestamp
      )
      insert into daily_tool_calls as known (day, proxy_id, tool_name, user_group_id, api_key_id,
        calls, errors, blocked, last_used_at)
      select day, proxy_id, tool_name, user_group_id, api_key_id,
        count(*) filter (where outcome <> 'blocked'), count(*) filter (where outcome = 'failed'),
        count(*) filter (where outcome = 'blocked'), max(timestamp) filter (where outcome <> 'blocked')
      from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (day, proxy_id, tool_name, user_group_id, api_key_id) do update set
        calls = known.calls + excluded.calls,
        errors = known.errors + excluded.errors,
        blocked = known.blocked + excluded.blocked,
        last_used_at = greatest(known.last_used_at, excluded.last_used_at)`,
  ),

  tool_sighting: prepare(
    'save_tool_sightings',
    () => sql`
      insert into mcp_sightings (seen_at, ${columns(sighting)})
      select timestamp, ${columns(sighting)} from ${recordset({ ...sighting, timestamp: 'timestamptz' })}
      on conflict do nothing`,
  ),

  agent_invocation: prepare(
    'save_agent_invocations',
    () => sql`
      with added as (
        insert into agent_invocations (${columns(invocation)})
        select ${columns(invocation)} from ${recordset(invocation)}
        on conflict do nothing
        returning *
      ), exceptions_counted as (${countExceptions}
      )
      ${sumAgentCalls}`,
  ),

  /** Of the records of one task the last counts, and none for an agent that was deleted or over a task that has ended. */
  agent_task: prepare(
    'save_agent_tasks',
    () => sql`
      insert into agent_tasks as known (changed_at, ${columns(agentTask)})
      select distinct on (id) timestamp, ${columns(agentTask)}
      from ${recordset({ ...agentTask, timestamp: 'timestamptz' })}
      where exists (select from agents where agents.id = record.agent_id)
      order by id, timestamp desc
      on conflict (id) do update set
        upstream_id = excluded.upstream_id,
        upstream_context_id = excluded.upstream_context_id,
        state = excluded.state,
        ended = excluded.ended,
        changed_at = excluded.changed_at,
        task = excluded.task
      where known.owner = excluded.owner and not known.ended and known.changed_at <= excluded.changed_at`,
  ),

  /** For a trace that waits. One that has been sent keeps nothing. */
  trace_content: prepare(
    'save_trace_contents',
    () => sql`
      update llm_trace_queue as queued set content = record.content
      from ${recordset(traceContent)} where queued.event_id = record.event_id`,
  ),

  alert: (transaction, json) => insertAlertRecords(transaction, json),
  audit: (transaction, json) => insertAuditRecords(transaction, json),
};

type Source = (kind: RowKind) => RawBuilder<unknown>;

const insertEvidence = (name: string, given: Source, ifThere: RawBuilder<unknown>): Inserts['row'] => ({
  request_log: prepare(`save_requests_${name}`, () => insertRequests(given('request_log'), ifThere)),
  usage: prepare(`save_usage_${name}`, () => insertUsage(given('usage'), sql`null`, ifThere)),
  usage_rough: prepare(`save_rough_usage_${name}`, () => insertUsage(given('usage_rough'), sql`true`, ifThere)),
});

const fromObjects: Source = (kind) => recordset(recordColumns[kind]);
const onlyInObjects = ['requests', 'exceptions', 'changes'];
const times = ['inspection_ms', 'target_wait_ms', 'response_inspection_ms'];
const fromRows: Source = (kind) =>
  kind === 'request_log'
    ? rowset(recordColumns[kind], 'request_log_row', ['user_id', 'session_id', ...times, ...onlyInObjects])
    : rowset(recordColumns[kind], 'usage_row', ['stated_cost_micro_usd', 'user_id', 'session_id']);
const fromSecondRows: Source = (kind) =>
  kind === 'request_log'
    ? rowset(recordColumns[kind], 'request_log_row_2', ['injected_prompts', 'skipped_prompts', ...onlyInObjects])
    : rowset(recordColumns[kind], 'usage_row_2');

const insertsThat = (name: string, ifThere: RawBuilder<unknown>): Inserts => ({
  objects: { ...others, ...insertEvidence(`objects_${name}`, fromObjects, ifThere) },
  row: insertEvidence(`rows_${name}`, fromRows, ifThere),
  row_2: insertEvidence(`rows_2_${name}`, fromSecondRows, ifThere),
});

/** For rows that may be there already. */
export const insertsOfAny = insertsThat('any', sql`on conflict do nothing`);

/** Fail at what is there already: looking for each row first, and inserting it so that it can be taken back, costs a fifth of all. */
export const insertsOfNew = insertsThat('new', sql``);

/** Inserts alerts, given as a JSON array. Each new one leaves with the transaction, as the API renders it. */
export const insertAlertRecords: Insert = prepare(
  'save_alerts',
  () => sql`
      with added as (
        insert into alerts (${columns(alert)}, created_at, updated_at)
        select ${columns(alert)}, timestamp, timestamp from ${recordset({ ...alert, timestamp: 'timestamptz' })}
        on conflict (event_id) do nothing
        returning *
      )
      insert into outbox (topic, payload)
      select 'alert', to_jsonb(added) - '{event_id,deleted_at,search_text,assignee_id}'::text[] || jsonb_build_object(
        'assignee', null, 'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})
      from added order by id`,
);

/**
 * Appends audit records, given as a JSON array, to the chain in their order; those that are in it
 * already are left out. Place and hash are given by the table's trigger. What integrations are told of leaves with the
 * transaction, if one of them is switched on.
 */
export const insertAuditRecords: Insert = prepare(
  'save_audit',
  () => sql`
    with added as (
      insert into audit_log (${columns(audit)})
      select ${columns(audit)} from ${recordset(audit)}
      returning id, ${columns(audit)}
    )
    insert into outbox (topic, payload)
    select ${sql.lit(auditEventTopic)}, to_jsonb(added) - 'id' || jsonb_build_object('timestamp', ${isoTime('timestamp')})
    from added
    where event_type in (${sql.join(sentAuditEvents.map((type) => sql.lit(type)))}) and ${takesEvents}
    order by id`,
);

/** Whose time has a name of its own in the table. */
const withoutTime = ({ timestamp: _timestamp, event_id: _eventId, ...rest }: ColumnTypes): ColumnTypes => rest;

const isoTime = (column: string): RawBuilder<string> =>
  sql`to_char(${sql.id(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
