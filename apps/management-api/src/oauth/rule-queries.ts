import type { OAuthRule, OAuthRuleStats } from '@portcullis/contracts/routes/oauth-rules';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { countRows, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql } from 'kysely';

interface RuleFilter {
  readonly group_id?: number;
  readonly rule_type?: OAuthRule['rule_type'];
  readonly provider_id?: number;
  readonly active?: boolean;
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

/** What of a rule is stored. */
export type RuleFields = Pick<
  OAuthRule,
  'rule_type' | 'rule_value' | 'provider_id' | 'user_group_id' | 'user_role' | 'priority' | 'active' | 'description'
>;

const rules = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('oauth_rules')
    .leftJoin('user_groups', 'user_groups.id', 'user_group_id')
    .selectAll('oauth_rules')
    .select(['user_groups.name as group_name', 'user_groups.active as group_active'])
    .$narrowType<Pick<OAuthRule, 'rule_type' | 'user_role'>>();

type RuleRow = Awaited<ReturnType<ReturnType<typeof rules>['execute']>>[number];

export async function loadRulePage(database: Queryable, filter: RuleFilter) {
  const { group_id: user_group_id, rule_type, provider_id, active, search, limit, offset } = filter;
  const stored = database.kysely.selectFrom('oauth_rules');
  const equal = whereEqual(stored, { user_group_id, rule_type, provider_id, active });
  const matching = whereContains(equal, sql`concat_ws(' ', rule_value, description)`, search);
  const total = await countRows(matching);
  const rows = await rules(database)
    .where('oauth_rules.id', 'in', matching.select('id'))
    .orderBy('priority', 'desc')
    .orderBy('oauth_rules.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rules: rows.map(renderRule), total };
}

export async function findRule(database: Queryable, id: number): Promise<OAuthRule | undefined> {
  const row = await rules(database).where('oauth_rules.id', '=', id).executeTakeFirst();
  return row && renderRule(row);
}

export async function insertRule({ kysely }: Queryable, fields: RuleFields): Promise<number> {
  return (await kysely.insertInto('oauth_rules').values(fields).returning('id').executeTakeFirstOrThrow()).id;
}

export const updateRule = ({ kysely }: Queryable, id: number, fields: RuleFields) =>
  kysely
    .updateTable('oauth_rules')
    .set({ ...fields, updated_at: databaseNow })
    .where('id', '=', id)
    .execute();

export const deleteRule = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('oauth_rules').where('id', '=', id).execute();

export async function countRules({ kysely }: Queryable): Promise<OAuthRuleStats> {
  const { rows } = await sql<OAuthRuleStats>`
    with named as (
      select rule.*, user_groups.name as group_name, oauth_providers.name as provider_name
      from oauth_rules as rule
      left join user_groups on user_groups.id = rule.user_group_id
      left join oauth_providers on oauth_providers.id = rule.provider_id
    )
    select
      count(*)::int as total_rules,
      count(*) filter (where active)::int as active_rules,
      count(*) filter (where not active)::int as inactive_rules,
      ${countsOf('rule_type')} as by_type,
      ${countsOf('user_role')} as by_role,
      ${countsOf('group_name')} as by_group,
      ${countsOf('provider_name')} as by_provider
    from named`.execute(kysely);
  const [counts] = rows;
  if (counts === undefined) throw new Error('A count has a row');
  return counts;
}

/** How many of the rows there are with each value, as an object. */
const countsOf = (column: 'rule_type' | 'user_role' | 'group_name' | 'provider_name') => sql<Record<string, number>>`(
  select coalesce(jsonb_object_agg(value, number), '{}') from (
    select ${sql.ref(column)} as value, count(*)::int as number from named group by 1
  ) as counted where value is not null)`;

const renderRule = ({ group_name: name, group_active: active, ...row }: RuleRow): OAuthRule => ({
  ...row,
  user_group: row.user_group_id === null ? null : { id: row.user_group_id, name: name ?? '', active: active === true },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
