import type { ProxySignIn, ProxyUser, ProxyUserTrial } from '@portcullis/contracts/routes/proxy-users';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

/** The groups of each user; proxies let a user count for the oldest that may use them. */
const memberships = (proxyId: number) => sql`
  select users.id, username, users.email, users.active, one.id as group_id, one.name as group_name,
    one.active as group_active, access.id is not null as has_access
  from users
  left join user_group_members as member on member.user_id = users.id
  left join user_groups as one on one.id = member.user_group_id
  left join proxy_access as access
    on access.user_group_id = one.id and access.proxy_id = ${proxyId} and access.active`;

export async function loadAllowedGroups(
  { kysely }: Queryable,
  proxyId: number,
): Promise<ProxySignIn['allowed_user_groups']> {
  const { rows } = await sql<ProxySignIn['allowed_user_groups'][number]>`
    select one.id, one.name, (
      select count(*)::int from user_group_members as member join users on users.id = member.user_id
      where member.user_group_id = one.id and users.active) as user_count
    from user_groups as one join proxy_access as access on access.user_group_id = one.id
    where access.proxy_id = ${proxyId} and access.active and one.active
    order by lower(one.name)`.execute(kysely);
  return rows;
}

interface Page {
  readonly page: number;
  readonly page_size: number;
}

export async function loadProxyUserPage({ kysely }: Queryable, proxyId: number, { page, page_size: size }: Page) {
  const allowed = sql`
    select distinct on (id) id, username, email, group_id, group_name from (${memberships(proxyId)}) as known
    where active and group_active and has_access order by id, group_id`;
  const counted = await sql<{ total: number }>`select count(*)::int as total from (${allowed}) as allowed`.execute(
    kysely,
  );
  const { rows } = await sql<ProxyUser>`
    select id, username as user_identity, email as user_email,
      jsonb_build_object('id', group_id, 'name', group_name) as user_group
    from (${allowed}) as allowed order by lower(username) limit ${size} offset ${(page - 1) * size}`.execute(kysely);
  return { users: rows, total: counted.rows[0]?.total ?? 0 };
}

interface Membership {
  readonly active: boolean;
  readonly group_id: number | null;
  readonly group_name: string | null;
  readonly group_active: boolean | null;
  readonly has_access: boolean;
}

/** By name or, where none has that name, by address; in any case of letters. */
export async function tryUser({ kysely }: Queryable, proxyId: number, identity: string): Promise<ProxyUserTrial> {
  const { rows } = await sql<Membership>`
    with one as (
      select id from users where lower(${identity}) in (lower(username), lower(email))
      order by lower(username) = lower(${identity}) desc limit 1)
    select known.* from (${memberships(proxyId)}) as known join one on one.id = known.id
    order by coalesce(group_active and has_access, false) desc, group_id`.execute(kysely);
  const [first] = rows;
  const reason = refusalOf(first);
  return { allowed: reason === null, reason, user_group: groupOf(first) };
}

const groupOf = (row: Membership | undefined): ProxyUserTrial['user_group'] =>
  row === undefined || row.group_id === null ? null : { id: row.group_id, name: row.group_name ?? '' };

function refusalOf(row: Membership | undefined): ProxyUserTrial['reason'] {
  if (row === undefined) return 'unknown_user';
  if (!row.active) return 'user_inactive';
  if (row.group_id === null) return 'no_group_assignment';
  if (row.group_active !== true) return 'group_inactive';
  return row.has_access ? null : 'group_lacks_access';
}
