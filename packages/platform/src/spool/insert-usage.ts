import { sql, type RawBuilder } from 'kysely';
import { recordColumns, type ColumnTypes } from './record-columns.ts';
import { columns, ids, recordset, startOf, utcDay, values } from './record-sql.ts';
import { sumTokens } from './sum-sessions.ts';

const { usage } = recordColumns;

const summed = ['requests', 'input_tokens', 'output_tokens', 'total_tokens', 'cost_micro_usd'];
const sumNames = sql.join(summed.map((name) => sql.id(name)));
const addSums = sql.join(summed.map((name) => sql`${sql.id(name)} = known.${sql.id(name)} + excluded.${sql.id(name)}`));

/** Adds what was counted to its days and hours, which is what budgets and reports read. */
const sumUsage = sql`
      , summed as (
        select ${startOf('day')} as day, proxy_id, user_group_id, api_key_id, protocol, model, sum(sign) as requests,
          sum(sign * input_tokens) as input_tokens, sum(sign * output_tokens) as output_tokens,
          sum(sign * total_tokens) as total_tokens, sum(sign * cost_micro_usd) as cost_micro_usd
        from counted group by 1, 2, 3, 4, 5, 6
      ), hours as (
        select ${startOf('hour')} as hour, proxy_id, user_group_id, api_key_id,
          coalesce(user_id, (select owner_id from api_keys where api_keys.id = counted.api_key_id), 0) as user_id, model,
          sum(sign) as requests, sum(sign * input_tokens) as input_tokens, sum(sign * output_tokens) as output_tokens,
          sum(sign * total_tokens) as total_tokens, sum(sign * cost_micro_usd) as cost_micro_usd
        from counted group by 1, 2, 3, 4, 5, 6
      ), hourly as (
        insert into hourly_usage as known (hour, proxy_id, user_group_id, api_key_id, user_id, model, ${sumNames})
        select hour, proxy_id, user_group_id, api_key_id, user_id, model, ${sumNames} from hours order by 1, 2, 3, 4, 5, 6
        on conflict (hour, proxy_id, user_group_id, api_key_id, user_id, model) do update set ${addSums}
      ), by_session as (${sumTokens}
      )
      insert into daily_usage as known (day, proxy_id, user_group_id, api_key_id, protocol, model,
        ${sumNames})
      select ${utcDay('day')}, proxy_id, user_group_id, api_key_id, protocol, model,
        ${sumNames}
      from summed order by 1, 2, 3, 4, 5, 6
      on conflict (day, proxy_id, user_group_id, api_key_id, protocol, model) do update set ${addSums}`;

/** What is added up of a record. */
const summable = sql`
  timestamp, ${ids}, user_id, protocol, model, input_tokens, output_tokens, total_tokens, cost_micro_usd, session_id`;

export const insertUsage = (
  given: RawBuilder<unknown>,
  rough: RawBuilder<unknown>,
  ifThere: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
      with counted as (
        insert into usage_records (${columns(usage)}, rough)
        select ${values(usage)}, ${rough} from ${given}
        ${ifThere}
        returning 1 as sign, ${summable}
      )
      ${sumUsage}`;

/** What the day was told by lengths is taken back from it. */
export const replaceRoughUsage = (): RawBuilder<unknown> => sql`
      with given as (
        select ${values(usage)} from ${recordset(usage)}
      ), before as (
        select ${summable} from usage_records
        where rough and (timestamp, event_id) in (select timestamp, event_id from given)
      ), added as (
        insert into usage_records as known (${columns(usage)})
        select ${columns(usage)} from given
        on conflict (timestamp, event_id) do update set rough = null, ${replaceAll(withoutOwner(usage))}
        where known.rough
        returning ${summable}
      ), counted as (
        select 1 as sign, added.* from added union all select -1, before.* from before
      )
      ${sumUsage}`;

/** Every column gets what was to be inserted. */
const replaceAll = (types: ColumnTypes): RawBuilder<unknown> =>
  sql.join(Object.keys(types).map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`));

/** What is counted later, by any process, stays with the request that caused it. */
const withoutOwner = ({ request_id: _request, proxy_id: _proxy, ...types }: ColumnTypes): ColumnTypes => {
  const { api_key_id: _key, user_group_id: _group, user_id: _user, session_id: _session, ...rest } = types;
  return rest;
};
