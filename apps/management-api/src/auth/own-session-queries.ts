import type { OwnSession } from '@portcullis/contracts/routes/browser-sessions';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage } from '@portcullis/platform/database/list-queries';
import { sql } from 'kysely';

const lasting = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('login_sessions')
    .select(['id', 'user_id', 'cookie_id', 'provider_name', 'client_ip', 'user_agent'])
    .select(['created_at', 'refreshed_at', 'expires_at'])
    .where('expires_at', '>', sql<Date>`now()`);

type Row = NonNullable<Awaited<ReturnType<typeof findOwnSession>>>;

/** A session that lasts, whosever it is. */
export const findOwnSession = (database: Queryable, id: string) =>
  lasting(database).where('id', '=', id).executeTakeFirst();

export const loadOwnSessions = (
  database: Queryable,
  userId: number,
  page: { readonly limit: number; readonly offset: number },
) => loadPage(lasting(database).where('user_id', '=', userId).orderBy('created_at', 'desc').orderBy('id'), page);

export const renderOwnSession = (row: Row, currentId: string): OwnSession => ({
  id: row.id,
  kind: row.cookie_id === null ? 'token' : 'cookie',
  current: row.id === currentId,
  provider_name: row.provider_name,
  client_ip: row.client_ip,
  user_agent: row.user_agent,
  created_at: row.created_at.toISOString(),
  last_used: (row.refreshed_at ?? row.created_at).toISOString(),
  expires_at: row.expires_at.toISOString(),
});
