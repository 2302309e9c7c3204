import type { UserRole } from '@portcullis/contracts/route';
import type { Queryable } from '../database/database.ts';
import { sql } from 'kysely';
import type { TokenClaims, TokenIds } from './tokens.ts';
import { userColumns, type UserRow } from './user-queries.ts';

/** How long a session may be refreshed: from its last token, and from the login. */
interface SessionEnds {
  readonly expiresAt: Date;
  readonly endsAt: Date;
}

/** With what, and from where, a session began. */
interface SessionBeginning {
  readonly provider: { readonly id: number | undefined; readonly name: string } | undefined;
  readonly clientIp: string;
  readonly userAgent: string | undefined;
}

const maxUserAgent = 500;

/**
 * Starts the session of a user whose password was right. False when it has been changed meanwhile, or
 * the user deactivated: a transaction that does that locks the user first and ends the sessions then.
 */
export async function insertSession(
  { kysely }: Queryable,
  { id, password_hash: passwordHash }: { readonly id: number; readonly password_hash: string },
  { sessionId, tokenId, cookieId }: TokenIds & { readonly cookieId?: string },
  { expiresAt, endsAt }: SessionEnds,
  { provider, clientIp, userAgent }: SessionBeginning,
): Promise<boolean> {
  const { rows } = await sql`
    insert into login_sessions
      (id, user_id, token_id, expires_at, ends_at, provider_id, provider_name, client_ip, user_agent,
       cookie_id)
    select ${sessionId}::uuid, id, ${tokenId}::uuid, ${expiresAt}::timestamptz, ${endsAt}::timestamptz,
      ${provider?.id ?? null}::integer, ${provider?.name ?? null}::text, ${clientIp}::text,
      ${userAgent?.slice(0, maxUserAgent) ?? null}::text, ${cookieId ?? null}::uuid
    from users
    where id = ${id} and active and password_hash = ${passwordHash} for share
    returning id
  `.execute(kysely);
  return rows.length > 0;
}

/** The user of a token as the database has them now; not found when the token no longer counts. */
export const findUserOfToken = (
  { kysely }: Queryable,
  { userId, sessionId, tokenId }: TokenClaims,
): Promise<UserRow | undefined> =>
  kysely
    .selectFrom('login_sessions')
    .innerJoin('users', 'users.id', 'user_id')
    .select(userColumns)
    .where('login_sessions.id', '=', sessionId)
    .where('token_id', '=', tokenId)
    .where('user_id', '=', userId)
    .where('active', '=', true)
    .$narrowType<{ role: UserRole }>()
    .executeTakeFirst();

export const findSession = ({ kysely }: Queryable, id: string) =>
  kysely
    .selectFrom('login_sessions')
    .select(['user_id', 'token_id', 'previous_token_id', 'ends_at'])
    .select(sql<boolean>`expires_at <= now()`.as('expired'))
    .select(sql<number>`coalesce(extract(epoch from now() - refreshed_at) * 1000, 0)::float8`.as('refreshed_ms_ago'))
    .where('id', '=', id)
    .executeTakeFirst();

/** Puts the next token in the place of the current one; false when another request was faster. */
export async function replaceToken(
  { kysely }: Queryable,
  { sessionId, tokenId }: TokenIds,
  next: { readonly tokenId: string; readonly expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('login_sessions')
    .set({
      token_id: next.tokenId,
      previous_token_id: tokenId,
      refreshed_at: sql<Date>`now()`,
      expires_at: next.expiresAt,
    })
    .where('id', '=', sessionId)
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The session of a browser, with its active user. */
export const findBrowserSession = ({ kysely }: Queryable, id: string) =>
  kysely
    .selectFrom('login_sessions')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['user_id', 'username', 'role', 'must_change_password', 'provider_name'])
    .select(['cookie_id', 'previous_cookie_id', 'expires_at', 'ends_at'])
    .select(msSince('cookie_confirmed_at').as('confirmed_ms_ago'))
    .select(msSince('coalesce(refreshed_at, login_sessions.created_at)').as('renewed_ms_ago'))
    .where('login_sessions.id', '=', id)
    .where('cookie_id', 'is not', null)
    .where('active', '=', true)
    .where('expires_at', '>', sql<Date>`now()`)
    .$narrowType<{ role: UserRole }>()
    .executeTakeFirst();
export type BrowserSessionRow = NonNullable<Awaited<ReturnType<typeof findBrowserSession>>>;

const msSince = (time: string) => sql<number | null>`(extract(epoch from now() - ${sql.raw(time)}) * 1000)::float8`;

/** From now on the cookie before the current one is old. */
export const confirmCookie = ({ kysely }: Queryable, sessionId: string, cookieId: string) =>
  kysely
    .updateTable('login_sessions')
    .set({ cookie_confirmed_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .where('cookie_id', '=', cookieId)
    .where('cookie_confirmed_at', 'is', null)
    .execute();

/** Puts the next cookie in the place of the current one; false when another request was faster. */
export async function replaceCookie(
  { kysely }: Queryable,
  { sessionId, cookieId }: { readonly sessionId: string; readonly cookieId: string },
  next: { readonly cookieId: string; readonly expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('login_sessions')
    .set({
      cookie_id: next.cookieId,
      previous_cookie_id: cookieId,
      cookie_confirmed_at: null,
      refreshed_at: sql<Date>`now()`,
      expires_at: next.expiresAt,
    })
    .where('id', '=', sessionId)
    .where('cookie_id', '=', cookieId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export const deleteSession = ({ kysely }: Queryable, id: string) =>
  kysely.deleteFrom('login_sessions').where('id', '=', id).execute();

/** Ends every session of a user, or all but one. */
export const deleteSessionsOfUser = ({ kysely }: Queryable, userId: number, but?: string) =>
  kysely
    .deleteFrom('login_sessions')
    .where('user_id', '=', userId)
    .$if(but !== undefined, (query) => query.where('id', '!=', String(but)))
    .executeTakeFirstOrThrow();

/** Answers how many there were. */
export async function deleteExpiredSessions({ kysely }: Queryable): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('login_sessions')
    .where('expires_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Those of the sessions that still last, of users who are still active. */
export async function findLastingSessions({ kysely }: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await kysely
    .selectFrom('login_sessions')
    .innerJoin('users', 'users.id', 'user_id')
    .select('login_sessions.id')
    .where('login_sessions.id', 'in', ids)
    .where('active', '=', true)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
