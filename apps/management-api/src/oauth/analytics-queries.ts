import type {
  OAuthAccessAnalytics,
  OAuthGroupAnalytics,
  OAuthProviderAnalytics,
  OAuthTimeline,
} from '@portcullis/contracts/routes/oauth-analytics';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql, type RawBuilder } from 'kysely';

const since = (days: number): RawBuilder<Date> => sql`now() - make_interval(days => ${days}::int)`;

/** By the key of the provider: its name may have changed between the logins of two users. */
export async function countByProvider({ kysely }: Queryable, days: number): Promise<OAuthProviderAnalytics> {
  const { rows } = await sql<OAuthProviderAnalytics['providers'][number]>`
    select
      identity.provider_id,
      coalesce(provider.name, max(identity.provider_name)) as provider_name,
      provider.provider_type,
      count(distinct user_id)::int as total_users,
      count(distinct user_id) filter (where identity.created_at > ${since(days)})::int as new_users,
      count(distinct user_id) filter (where last_login_at > ${since(days)})::int as users_signed_in
    from user_identities as identity left join oauth_providers as provider on provider.id = identity.provider_id
    group by provider_key, identity.provider_id, provider.name, provider.provider_type
    order by total_users desc, provider_name`.execute(kysely);
  return { days, providers: rows };
}

export async function countByGroup({ kysely }: Queryable, days: number): Promise<OAuthGroupAnalytics> {
  const { rows } = await sql<OAuthGroupAnalytics['groups'][number]>`
    with known as (select user_id, max(last_login_at) as last_login_at from user_identities group by user_id)
    select
      one.id as user_group_id,
      one.name,
      count(users.id)::int as total_users,
      count(users.id) filter (where users.active)::int as active_users,
      count(users.id) filter (where known.last_login_at > ${since(days)})::int as users_signed_in,
      (select count(*)::int from oauth_rules as rule where rule.user_group_id = one.id and rule.active) as rules
    from user_groups as one
    left join (user_group_members as member join known on known.user_id = member.user_id
      join users on users.id = member.user_id) on member.user_group_id = one.id
    group by one.id, one.name
    order by total_users desc, lower(one.name)`.execute(kysely);
  return { days, groups: rows };
}

/** Sessions are cleaned up when they end; the audit log knows their beginnings still. */
export async function loadTimeline({ kysely }: Queryable, days: number): Promise<OAuthTimeline> {
  const { rows } = await sql<OAuthTimeline['timeline'][number]>`
    with bounds as (select (now() at time zone 'utc')::date as today),
    first_day as (select today - (${days}::int - 1) as day from bounds),
    login as (
      select (timestamp at time zone 'utc')::date as day, event_type from audit_log, first_day
      where event_type in ('auth.login', 'auth.login.failed') and details ? 'provider'
        and timestamp >= first_day.day::timestamp at time zone 'utc'),
    arrival as (
      select (min(created_at) at time zone 'utc')::date as day from user_identities group by user_id)
    select
      to_char(one.day, 'YYYY-MM-DD') as date,
      (select count(*)::int from login where day = one.day and event_type = 'auth.login') as logins,
      (select count(*)::int from login where day = one.day and event_type = 'auth.login.failed') as failed_logins,
      (select count(*)::int from arrival where day = one.day) as new_users
    from bounds, first_day, generate_series(first_day.day, bounds.today, interval '1 day') as given (moment),
      lateral (select moment::date as day) as one
    order by one.day`.execute(kysely);
  return { days, timeline: rows };
}

const noAccess = { no_group_assignment: 0, group_lacks_access: 0, group_inactive: 0 };

/** Of requests whose user is known: a proxy knows no user of a session that has ended, nor one who is inactive. */
export async function countAccess({ kysely }: Queryable, days: number): Promise<OAuthAccessAnalytics> {
  const { rows } = await sql<{
    proxy: string;
    outcome: keyof typeof noAccess | 'allowed' | 'rate_limited';
    count: number;
  }>`
    select
      coalesce(proxies.name, 'proxy ' || log.proxy_id) as proxy,
      case
        when denied_stage = 'limit-rate' then 'rate_limited'
        when denied_stage = 'check-group' then 'group_inactive'
        when denied_stage = 'check-access' and user_group_id is null then 'no_group_assignment'
        when denied_stage = 'check-access' then 'group_lacks_access'
        else 'allowed'
      end as outcome,
      count(*)::int as count
    from request_logs as log left join proxies on proxies.id = log.proxy_id
    where user_id is not null and timestamp > ${since(days)}
    group by 1, 2 order by 1`.execute(kysely);
  const sum = (which: (outcome: string) => boolean, proxy?: string): number =>
    rows
      .filter((row) => which(row.outcome) && (proxy === undefined || row.proxy === proxy))
      .reduce((all, { count }) => all + count, 0);
  const isAllowed = (outcome: string): boolean => outcome === 'allowed';
  const isDenied = (outcome: string): boolean => outcome in noAccess;
  return {
    days,
    total_access_attempts: sum(() => true),
    successful_access: sum(isAllowed),
    denied_access: sum(isDenied),
    rate_limited: sum((outcome) => outcome === 'rate_limited'),
    by_proxy: Object.fromEntries(
      [...new Set(rows.map(({ proxy }) => proxy))].map((proxy) => [
        proxy,
        {
          attempts: sum(() => true, proxy),
          allowed: sum(isAllowed, proxy),
          denied: sum((outcome) => !isAllowed(outcome), proxy),
        },
      ]),
    ),
    denial_reasons: Object.fromEntries(
      Object.keys(noAccess).map((reason) => [reason, sum((outcome) => outcome === reason)]),
    ) as typeof noAccess,
  };
}
