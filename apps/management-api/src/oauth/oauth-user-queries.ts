import type { UserRole } from '@portcullis/contracts/route';
import type { OAuthUser, OAuthUserStats } from '@portcullis/contracts/routes/oauth-users';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql, type RawBuilder } from 'kysely';

interface OAuthUserFilter {
  readonly group_id?: number;
  readonly provider_id?: number;
  readonly role?: UserRole;
  readonly active?: boolean;
  readonly search?: string;
  readonly page: number;
  readonly page_size: number;
}

interface OAuthUserRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly role: UserRole;
  readonly active: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly name: string | null;
  readonly last_login_at: Date;
  readonly provider_id: number | null;
  readonly provider_name: string;
  readonly provider_type: string | null;
  /** The oldest first. */
  readonly groups: readonly { id: number; name: string; description: string; active: boolean }[];
}

/** Each user who has an identity at a provider, with the one of their latest login. */
const known = sql`
  select users.id, username, users.email, role, users.active, users.created_at, users.updated_at,
    identity.name, identity.last_login_at, identity.provider_id, identity.provider_name, provider.provider_type,
    array(
      select jsonb_build_object('id', one.id, 'name', one.name, 'description', one.description, 'active', one.active)
      from user_group_members as member join user_groups as one on one.id = member.user_group_id
      where member.user_id = users.id order by one.id) as groups
  from users
  join lateral (
    select * from user_identities where user_id = users.id order by last_login_at desc, id desc limit 1
  ) as identity on true
  left join oauth_providers as provider on provider.id = identity.provider_id`;

function conditionOf({ group_id: groupId, provider_id: providerId, role, active, search }: Partial<OAuthUserFilter>) {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (groupId !== undefined) {
    all.push(sql`id in (select user_id from user_group_members where user_group_id = ${groupId})`);
  }
  if (providerId !== undefined) all.push(sql`provider_id = ${providerId}`);
  if (role !== undefined) all.push(sql`role = ${role}`);
  if (active !== undefined) all.push(sql`active = ${active}`);
  if (search !== undefined) all.push(sql`strpos(lower(concat_ws(' ', username, email, name)), lower(${search})) > 0`);
  return sql.join(all, sql` and `);
}

export async function loadOAuthUserPage({ kysely }: Queryable, filter: OAuthUserFilter) {
  const condition = conditionOf(filter);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from (${known}) as known where ${condition}`.execute(kysely);
  const { rows } = await sql<OAuthUserRow>`
    select * from (${known}) as known where ${condition} order by lower(username)
    limit ${filter.page_size} offset ${(filter.page - 1) * filter.page_size}`.execute(kysely);
  return { users: rows.map(renderOAuthUser), total: counted.rows[0]?.total ?? 0 };
}

export async function findOAuthUser({ kysely }: Queryable, id: number): Promise<OAuthUser | undefined> {
  const { rows } = await sql<OAuthUserRow>`select * from (${known}) as known where id = ${id}`.execute(kysely);
  return rows[0] && renderOAuthUser(rows[0]);
}

/** By name or, where none has that name, by address; in any case of letters. */
export async function findOAuthUserByIdentity({ kysely }: Queryable, identity: string): Promise<OAuthUser | undefined> {
  const { rows } = await sql<OAuthUserRow>`
    select * from (${known}) as known where lower(${identity}) in (lower(username), lower(email))
    order by lower(username) = lower(${identity}) desc limit 1`.execute(kysely);
  return rows[0] && renderOAuthUser(rows[0]);
}

export async function countOAuthUsers({ kysely }: Queryable): Promise<OAuthUserStats> {
  const { rows } = await sql<OAuthUserStats>`
    with known as (${known})
    select
      count(*)::int as total_users,
      count(*) filter (where active)::int as active_users,
      count(*) filter (where not active)::int as inactive_users,
      count(*) filter (where cardinality(groups) = 0)::int as users_without_group,
      ${countsOf(sql`select role as value from known`)} as by_role,
      ${countsOf(sql`select one ->> 'name' as value from known, unnest(groups) as one`)} as by_group,
      ${countsOf(sql`select provider_name as value from known`)} as by_provider,
      count(*) filter (where last_login_at > now() - interval '24 hours')::int as recent_logins_24h,
      count(*) filter (where created_at > now() - interval '7 days')::int as new_users_7d
    from known`.execute(kysely);
  const [counts] = rows;
  if (counts === undefined) throw new Error('A count has a row');
  return counts;
}

const countsOf = (values: RawBuilder<unknown>) => sql`(
  select coalesce(jsonb_object_agg(value, number), '{}') from (
    select value, count(*)::int as number from (${values}) as given group by 1) as counted)`;

function renderOAuthUser(row: OAuthUserRow): OAuthUser {
  const [group = null] = row.groups;
  return {
    id: row.id,
    user_identity: row.username,
    user_email: row.email,
    user_name: row.name ?? row.username,
    user_role: row.role,
    user_group_id: group?.id ?? null,
    user_group: group,
    user_group_ids: row.groups.map(({ id }) => id),
    org_domain: row.email.slice(row.email.lastIndexOf('@') + 1).toLowerCase(),
    provider_id: row.provider_id,
    provider: { id: row.provider_id, provider_type: row.provider_type, provider_name: row.provider_name },
    active: row.active,
    last_login_at: row.last_login_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
