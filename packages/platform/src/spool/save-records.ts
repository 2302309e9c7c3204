import type { SpoolRecordKind } from '@portcullis/contracts/records';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '../database/database.ts';
import { makePartitions, type PartitionedTable } from '../database/partitions.ts';
import { prepare } from '../database/prepared.ts';
import type { Tables } from '../database/tables.ts';
import { problemCode } from '../lifecycle/problem.ts';
import { recordColumns, type ColumnTypes } from './record-columns.ts';
import type { RecordLine } from './record-line.ts';

export type SaveRecords = (records: readonly RecordLine[]) => Promise<void>;

/**
 * Saves records with everything that follows from them in one transaction. Records that are in the
 * database already change nothing.
 */
export function createSaveRecords(database: Database): SaveRecords {
  const partitions = createPartitionsOnDemand(database);
  const save: SaveRecords = async (records) => {
    await partitions.make(records);
    await saveInTransaction(database, records);
  };
  return async (records) => {
    try {
      await save(records);
    } catch (error) {
      if (problemCode(error) !== noPartition) throw error;
      // One that was made before has been dropped since.
      partitions.forget();
      await save(records);
    }
  };
}

/** SQLSTATE of a check that failed, which is also how a row without a partition is refused. */
const noPartition = '23514';

function createPartitionsOnDemand(database: Database) {
  const made = new Set<string>();
  return {
    async make(records: readonly RecordLine[]): Promise<void> {
      for (const [kind, table] of partitioned) {
        const days = new Set(records.filter((record) => record.kind === kind).map(({ day }) => day));
        const missing = [...days].filter((day) => !made.has(`${table} ${day}`));
        if (missing.length === 0) continue;
        await makePartitions(database.kysely, table, missing);
        for (const day of missing) made.add(`${table} ${day}`);
      }
    },
    forget: () => made.clear(),
  };
}

const partitioned: readonly (readonly [SpoolRecordKind, PartitionedTable])[] = [
  ['request_log', 'request_logs'],
  ['usage', 'usage_records'],
  ['usage_rough', 'usage_records'],
  ['usage_counted', 'usage_records'],
  ['guardrail_check', 'guardrail_checks'],
  ['tool_call', 'mcp_tool_calls'],
];

async function saveInTransaction(database: Database, records: readonly RecordLine[]): Promise<void> {
  const byKind = Map.groupBy(records, ({ kind }) => kind);
  await database.kysely.transaction().execute(async (transaction) => {
    for (const kind of saveOrder) {
      const lines = byKind.get(kind);
      if (lines !== undefined) await save[kind](transaction, `[${lines.map(({ json }) => json).join(',')}]`);
    }
  });
}

/** The audit chain comes last: whoever has it waits for nothing else any more, so nobody waits in a circle. */
const saveOrder = [
  'request_log',
  'usage',
  'usage_rough',
  'usage_counted',
  'canary_planted',
  'canary_seen',
  'guardrail_check',
  'tool_call',
  'tool_sighting',
  'alert',
  'audit',
] as const satisfies readonly SpoolRecordKind[];

/** Stages of the runtime's pipeline that refuse before a key counts as used. */
const stagesOfAdmission = ['identify', 'check-group', 'check-access', 'check-budget', 'limit-rate', 'reserve-budget']
  .map((stage) => `'${stage}'`)
  .join(', ');

/** Inserts records that are given as a JSON array, with what follows from them. */
type Insert = (kysely: Kysely<Tables>, json: string) => Promise<unknown>;

const { request_log: requestLog, usage, alert, audit, canary_planted: planted, canary_seen: seen } = recordColumns;
const { guardrail_check: check, tool_call: toolCall, tool_sighting: sighting } = recordColumns;

const save: Readonly<Record<SpoolRecordKind, Insert>> = {
  /**
   * Each new request counts for its hour and its day, and for its key and its system prompts unless they are
   * gone. A key is used by what it opens: what is refused because of it, or for want of budget, is no use.
   */
  request_log: prepare(
    'save_requests',
    () => sql`
      with added as (
        insert into request_logs (${columns(requestLog)})
        select ${columns(requestLog)} from ${recordset(requestLog)}
        on conflict do nothing
        returning ${dayAndIds}, api_key_id as real_key_id, timestamp, injected_prompts, skipped_prompts,
          status_code, duration_ms, request_size + response_size as bytes, denied_stage
      ), by_hour as (
        insert into hourly_requests as known (hour, proxy_id, requests, failed, duration_ms, bytes)
        select date_trunc('hour', timestamp, 'UTC'), proxy_id, count(*), count(*) filter (where status_code >= 400),
          sum(duration_ms), sum(bytes) from added
        group by 1, 2 order by 1, 2
        on conflict (proxy_id, hour) do update set
          requests = known.requests + excluded.requests, failed = known.failed + excluded.failed,
          duration_ms = known.duration_ms + excluded.duration_ms, bytes = known.bytes + excluded.bytes
      ), prompted as (
        select id::integer as system_prompt_id, timestamp, 1 as injected, 0 as skipped
        from added, jsonb_array_elements_text(injected_prompts) as prompts (id)
        union all
        select id::integer, null, 0, 1 from added, jsonb_array_elements_text(skipped_prompts) as prompts (id)
      ), prompts_counted as (
        insert into system_prompt_usage as known (system_prompt_id, injection_count, skip_count, last_injected_at)
        select system_prompt_id, sum(injected), sum(skipped), max(timestamp) from prompted
        where system_prompt_id in (select id from system_prompts)
        group by system_prompt_id order by system_prompt_id
        on conflict (system_prompt_id) do update set
          injection_count = known.injection_count + excluded.injection_count,
          skip_count = known.skip_count + excluded.skip_count,
          last_injected_at = greatest(known.last_injected_at, excluded.last_injected_at)
      ), summed as (
        insert into daily_requests as known (day, proxy_id, user_group_id, api_key_id, requests)
        select day, proxy_id, user_group_id, api_key_id, count(*) from added
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (day, proxy_id, user_group_id, api_key_id) do update set
          requests = known.requests + excluded.requests
      )
      insert into api_key_usage as known (api_key_id, request_count, last_used_at)
      select real_key_id, count(*), max(timestamp) from added
      where real_key_id in (select id from api_keys)
        and coalesce(denied_stage, '') not in (${sql.raw(stagesOfAdmission)})
      group by real_key_id order by real_key_id
      on conflict (api_key_id) do update set
        request_count = known.request_count + excluded.request_count,
        last_used_at = greatest(known.last_used_at, excluded.last_used_at)`,
  ),

  /** What is new of it counts for its day, which is what budgets and reports read. */
  usage: prepare('save_usage', () => insertUsage(sql`null`)),
  usage_rough: prepare('save_rough_usage', () => insertUsage(sql`true`)),

  /** What the day was told by lengths is taken back from it. */
  usage_counted: prepare(
    'save_counted_usage',
    () => sql`
      with given as (
        select ${columns(usage)} from ${recordset(usage)}
      ), before as (
        select ${dayAndIds}, protocol, model, input_tokens, output_tokens, total_tokens, cost_micro_usd
        from usage_records where rough and (timestamp, event_id) in (select timestamp, event_id from given)
      ), added as (
        insert into usage_records as known (${columns(usage)})
        select ${columns(usage)} from given
        on conflict (timestamp, event_id) do update set rough = null, ${replaceAll(withoutOwner(usage))}
        where known.rough
        returning ${dayAndIds}, protocol, model, input_tokens, output_tokens, total_tokens, cost_micro_usd
      ), counted as (
        select 1 as sign, added.* from added union all select -1, before.* from before
      )
      ${sumUsage}`,
  ),

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

  guardrail_check: prepare(
    'save_checks',
    () => sql`
      insert into guardrail_checks (${columns(check)})
      select ${columns(check)} from ${recordset(check)}
      on conflict do nothing`,
  ),

  /** Each new call counts for its day; one that was blocked was not made, and counts apart. */
  tool_call: prepare(
    'save_tool_calls',
    () => sql`
      with added as (
        insert into mcp_tool_calls (${columns(toolCall)})
        select ${columns(toolCall)} from ${recordset(toolCall)}
        on conflict do nothing
        returning ${dayAndIds}, tool_name, outcome, timestamp
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

  alert: (transaction, json) => insertAlertRecords(transaction, json),
  audit: (transaction, json) => insertAuditRecords(transaction, json),
};

/** Adds what was counted to its days. */
const sumUsage = sql`
      insert into daily_usage as known (day, proxy_id, user_group_id, api_key_id, protocol, model,
        requests, input_tokens, output_tokens, total_tokens, cost_micro_usd)
      select day, proxy_id, user_group_id, api_key_id, protocol, model, sum(sign), sum(sign * input_tokens),
        sum(sign * output_tokens), sum(sign * total_tokens), sum(sign * cost_micro_usd)
      from counted group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (day, proxy_id, user_group_id, api_key_id, protocol, model) do update set
        requests = known.requests + excluded.requests,
        input_tokens = known.input_tokens + excluded.input_tokens,
        output_tokens = known.output_tokens + excluded.output_tokens,
        total_tokens = known.total_tokens + excluded.total_tokens,
        cost_micro_usd = known.cost_micro_usd + excluded.cost_micro_usd`;

const insertUsage = (rough: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      with counted as (
        insert into usage_records (${columns(usage)}, rough)
        select ${columns(usage)}, ${rough} from ${recordset(usage)}
        on conflict do nothing
        returning 1 as sign, ${dayAndIds}, protocol, model, input_tokens, output_tokens, total_tokens, cost_micro_usd
      )
      ${sumUsage}`;

/** Inserts alerts, given as a JSON array. Each new one leaves with the transaction, as the API renders it. */
export const insertAlertRecords: Insert = prepare(
  'save_alerts',
  () => sql`
      with added as (
        insert into alerts (${columns(alert)}, created_at)
        select ${columns(alert)}, timestamp from ${recordset({ ...alert, timestamp: 'timestamptz' })}
        on conflict (event_id) do nothing
        returning *
      )
      insert into outbox (topic, payload)
      select 'alert', to_jsonb(added) - '{event_id,deleted_at,search_text}'::text[] || jsonb_build_object(
        'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})
      from added order by id`,
);

/**
 * Appends audit records, given as a JSON array, to the chain in their order; those that are in it
 * already are left out. Place and hash are given by the table's trigger.
 */
export const insertAuditRecords: Insert = prepare(
  'save_audit',
  () => sql`
    insert into audit_log (${columns(audit)})
    select ${columns(audit)} from ${recordset(audit)}`,
);

/** The UTC day and the ids of a record as the daily sums have them, where 0 stands for none. */
const dayAndIds = sql`to_char(timestamp at time zone 'utc', 'YYYY-MM-DD') as day, proxy_id,
  coalesce(user_group_id, 0) as user_group_id, coalesce(api_key_id, 0) as api_key_id`;

/** Every column gets what was to be inserted. */
const replaceAll = (types: ColumnTypes): RawBuilder<unknown> =>
  sql.join(Object.keys(types).map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`));

/** What is counted later, by whoever sees it, stays with the request that caused it. */
const withoutOwner = ({ request_id: _request, proxy_id: _proxy, ...types }: ColumnTypes): ColumnTypes => {
  const { api_key_id: _key, user_group_id: _group, ...rest } = types;
  return rest;
};

/** Whose time has a name of its own in the table. */
const withoutTime = ({ timestamp: _timestamp, event_id: _eventId, ...rest }: ColumnTypes): ColumnTypes => rest;

const columns = (types: ColumnTypes): RawBuilder<unknown> => sql.join(Object.keys(types).map((name) => sql.id(name)));

/** The records of a JSON array, which is the statement's parameter. */
const recordset = (types: ColumnTypes): RawBuilder<unknown> => {
  const definitions = Object.entries(types).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`);
  return sql`json_to_recordset(${undefined}::json) as record (${sql.join(definitions)})`;
};

const isoTime = (column: string): RawBuilder<string> =>
  sql`to_char(${sql.id(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
