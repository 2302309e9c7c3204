import type { OAuthSession } from '@portcullis/contracts/routes/oauth-sessions';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql } from 'kysely';

interface SessionFilter {
  readonly active?: boolean | undefined;
  readonly providerId?: number | undefined;
  readonly userId?: number;
  /** Name or address of the user, in any case of letters. */
  readonly user?: string;
  readonly limit: number;
  readonly offset: number;
}

const lasts = sql<boolean>`(login_sessions.expires_at > now() and users.active)`;

const sessions = ({ kysely }: Queryable) =>
  kysely.selectFrom('login_sessions').innerJoin('users', 'users.id', 'user_id');

export async function loadSessionPage(database: Queryable, filter: SessionFilter) {
  const { active, providerId, userId, user, limit, offset } = filter;
  let matching = whereEqual(sessions(database), { provider_id: providerId, user_id: userId });
  if (active !== undefined) matching = matching.where(sql<boolean>`${lasts} = ${active}`);
  if (user !== undefined) {
    matching = matching.where(sql<boolean>`lower(${user}) in (lower(username), lower(email))`);
  }
  const { rows, total } = await loadPage(
    matching
      .select(['login_sessions.id', 'user_id', 'username', 'email', 'provider_id', 'provider_name'])
      .select(['client_ip', 'user_agent', 'login_sessions.created_at', 'refreshed_at', 'expires_at', lasts.as('lasts')])
      .orderBy('login_sessions.created_at', 'desc')
      .orderBy('login_sessions.id'),
    { limit, offset },
  );
  return {
    sessions: rows.map(
      ({ username, email, refreshed_at: refreshed, lasts: isActive, created_at: created, ...row }): OAuthSession => ({
        ...row,
        user_identity: username,
        user_email: email,
        user_name: username,
        created_at: created.toISOString(),
        last_used: (refreshed ?? created).toISOString(),
        expires_at: row.expires_at.toISOString(),
        active: isActive,
      }),
    ),
    total,
  };
}

export const countSessions = (database: Queryable) =>
  sessions(database)
    .select(({ fn }) => [fn.countAll<number>().as('total_sessions')])
    .select([
      sql<number>`count(*) filter (where ${lasts})`.as('active_sessions'),
      sql<number>`count(*) filter (where not ${lasts})`.as('expired_sessions'),
      sql<number>`count(distinct user_id)`.as('unique_users'),
    ])
    .executeTakeFirstOrThrow();

export const findSessionOwner = (database: Queryable, id: string) =>
  sessions(database).select(['user_id', 'username']).where('login_sessions.id', '=', id).executeTakeFirst();

/** Sessions that began with a provider, and whose they are. */
export const listSessionsOfProvider = ({ kysely }: Queryable, providerId: number) =>
  kysely
    .selectFrom('login_sessions')
    .select(['id as sessionId', 'user_id as userId'])
    .where('provider_id', '=', providerId)
    .execute();
