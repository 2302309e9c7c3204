import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { OauthProxyClientsTable } from '@portcullis/platform/database/tables';
import { sql, type Selectable } from 'kysely';

export type ClientRow = Selectable<OauthProxyClientsTable>;

/** Clients of a proxy that no user has let in yet: anyone may register, so the oldest make room. */
const maxUnused = 1_000;
/** How long a client that no user let in is remembered. */
const unusedDays = 2;

export type NewClient = Pick<ClientRow, 'proxy_id' | 'client_id' | 'kind' | 'name' | 'auth_method'> & {
  readonly redirect_uris: readonly string[];
  readonly secret_hash: string | null;
  readonly client_uri: string | null;
};

export const findClient = ({ kysely }: Queryable, proxyId: number, clientId: string): Promise<ClientRow | undefined> =>
  kysely
    .selectFrom('oauth_proxy_clients')
    .selectAll()
    .where('proxy_id', '=', proxyId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();

export const findClientById = ({ kysely }: Queryable, id: number): Promise<ClientRow | undefined> =>
  kysely.selectFrom('oauth_proxy_clients').selectAll().where('id', '=', id).executeTakeFirst();

/** Writes a client, or anew what the document of one says. */
export async function saveClient({ kysely }: Queryable, client: NewClient): Promise<ClientRow> {
  const redirect_uris = JSON.stringify(client.redirect_uris);
  const { name, auth_method, client_uri } = client;
  const row = await kysely
    .insertInto('oauth_proxy_clients')
    .values({ ...client, redirect_uris })
    .onConflict((conflict) =>
      conflict
        .columns(['proxy_id', 'client_id'])
        .doUpdateSet({ name, auth_method, client_uri, redirect_uris, read_at: databaseNow }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  await kysely
    .deleteFrom('oauth_proxy_clients')
    .where('id', 'in', (query) =>
      query
        .selectFrom('oauth_proxy_clients')
        .select('id')
        .where('proxy_id', '=', client.proxy_id)
        .where('used_at', 'is', null)
        .orderBy('id', 'desc')
        .offset(maxUnused)
        .limit(100),
    )
    .execute();
  return row;
}

export const noteClientUse = ({ kysely }: Queryable, id: number): Promise<unknown> =>
  kysely.updateTable('oauth_proxy_clients').set({ used_at: databaseNow }).where('id', '=', id).execute();

export const expireClients = ({ kysely }: Queryable): Promise<unknown> =>
  kysely
    .deleteFrom('oauth_proxy_clients')
    .where('used_at', 'is', null)
    .where(sql<boolean>`created_at < now() - ${`${unusedDays} days`}::interval`)
    .execute();

/** The registered addresses; what was stored had passed the checks. */
export const redirectsOf = ({ redirect_uris: uris }: ClientRow): readonly string[] => uris as string[];
