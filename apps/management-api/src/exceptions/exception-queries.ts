import type {
  ExceptionQuery,
  ExceptionScope,
  ExceptionState,
  missingParts,
  PolicyException,
} from '@portcullis/contracts/routes/policy-exceptions';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage, whereEqual } from '@portcullis/platform/database/list-queries';
import { resolveFilters } from '@portcullis/platform/database/resolve-filters';
import { numbered } from '@portcullis/platform/snapshot/snapshot-source';
import { sql } from 'kysely';

const state = sql<ExceptionState>`
  case when ended_at is not null then 'ended' when ends_at <= now() then 'expired' else 'active' end`;

/** Each document is read once, however many exceptions there are. */
const exceptions = ({ kysely }: Queryable) =>
  kysely
    .with('stored_rules', (query) =>
      query
        .selectFrom('policies')
        .select(['name', sql<string>`jsonb_array_elements(document -> 'rules') ->> 'id'`.as('rule_id')]),
    )
    .selectFrom('policy_exceptions as known')
    .leftJoin('policy_exception_usage as usage', 'usage.exception_id', 'known.id')
    .select(['id', 'rule_id', 'policy_name', 'proxy_id', 'agent_id', 'user_group_id', 'tool', 'reason', 'alert_id'])
    .select(['created_at', 'created_by', 'ends_at', 'ended_at', 'ended_by', 'end_reason', 'use_count', 'last_used_at'])
    .select(state.as('state'))
    .select(
      sql<(typeof missingParts)[number][]>`array_remove(array[
        case when not exists (select from stored_rules where stored_rules.rule_id = known.rule_id
          and (known.policy_name is null or stored_rules.name = known.policy_name)) then 'rule' end,
        case when proxy_id is not null and proxy_id not in (select id from proxies) then 'proxy' end,
        case when agent_id is not null and agent_id not in (select id from agents) then 'agent' end,
        case when user_group_id is not null and user_group_id not in (select id from user_groups) then 'user_group' end
      ], null)`.as('missing'),
    );

type ExceptionRow = Awaited<ReturnType<ReturnType<typeof exceptions>['execute']>>[number];

const render = ({ use_count: count, ...row }: ExceptionRow): PolicyException => ({
  ...row,
  created_at: row.created_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
  use_count: count ?? 0,
  last_used_at: row.last_used_at?.toISOString() ?? null,
});

export async function listExceptions(database: Queryable, query: ExceptionQuery) {
  const { limit, offset, state: wanted, proxy: _proxy, team: _team, ...filters } = query;
  const named = await resolveFilters(database, query);
  const { rows, total } = await loadPage(
    whereEqual(exceptions(database), filters)
      .where(numbered('proxy_id', named.proxy?.ids))
      .where(numbered('user_group_id', named.team?.ids))
      .$if(wanted !== undefined, (narrowed) => narrowed.where(state, '=', wanted as ExceptionState))
      .orderBy('id', 'desc'),
    { limit, offset },
  );
  return { exceptions: rows.map(render), total };
}

export async function findException(database: Queryable, id: number): Promise<PolicyException | undefined> {
  const row = await exceptions(database).where('id', '=', id).executeTakeFirst();
  return row && render(row);
}

interface NewException extends ExceptionScope {
  readonly reason: string;
  readonly alert_id: number | null;
  readonly ends_at: Date;
  readonly created_by: string;
}

export async function insertException({ kysely }: Queryable, row: NewException): Promise<number> {
  const { id } = await kysely.insertInto('policy_exceptions').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export const endExceptionRow = ({ kysely }: Queryable, id: number, by: string, reason: string | null) =>
  kysely
    .updateTable('policy_exceptions')
    .set({ ended_at: sql<Date>`now()`, ended_by: by, end_reason: reason })
    .where('id', '=', id)
    .execute();
