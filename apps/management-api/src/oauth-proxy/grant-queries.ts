import { hashKey } from '@portcullis/core/identity/presented-key';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { grantAccessTokenPlace, grantRefreshTokenPlace } from '@portcullis/platform/security/sealed-places';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { ProviderTokens } from './provider-tokens.ts';

/** How long what a user granted lasts when its client does not come back. */
const idleDays = 30;

export interface NewGrant {
  readonly proxyId: number;
  readonly clientRowId: number;
  readonly userId: number;
  readonly providerId: number;
  readonly scope: string;
}

/** Whether there will be another token when the present one of the provider ends. */
export const isRenewable = ({ refreshToken, expiresAtMs }: ProviderTokens): boolean =>
  refreshToken !== null || expiresAtMs === null;

/** A grant that cannot be renewed ends with the provider's token. */
const endOf = (tokens: ProviderTokens) =>
  isRenewable(tokens) || tokens.expiresAtMs === null
    ? sql<Date>`now() + ${`${idleDays} days`}::interval`
    : new Date(tokens.expiresAtMs);

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Writes what a user granted. @param database in a transaction that has the configuration to itself */
export async function insertGrant(
  { kysely }: Queryable,
  encryption: Encryption,
  grant: NewGrant,
  tokens: ProviderTokens,
): Promise<number> {
  const { id } = await kysely
    .insertInto('oauth_grants')
    .values({
      proxy_id: grant.proxyId,
      client_row_id: grant.clientRowId,
      user_id: grant.userId,
      provider_id: grant.providerId,
      scope: grant.scope,
      access_token: '',
      expires_at: endOf(tokens),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Sealed for its row, whose id is known only now.
  await saveProviderTokens({ kysely }, encryption, id, tokens);
  return id;
}

export const saveProviderTokens = (
  { kysely }: Queryable,
  encryption: Encryption,
  id: number,
  tokens: ProviderTokens,
): Promise<unknown> =>
  kysely
    .updateTable('oauth_grants')
    .set({
      access_token: encryption.encrypt(tokens.accessToken, grantAccessTokenPlace(id)[0]),
      refresh_token:
        tokens.refreshToken === null ? null : encryption.encrypt(tokens.refreshToken, grantRefreshTokenPlace(id)[0]),
      provider_expires_at: dateOf(tokens.expiresAtMs),
      refreshing_until: null,
      refreshed_at: databaseNow,
      expires_at: endOf(tokens),
    })
    .where('id', '=', id)
    .execute();

/** @returns the token, which is stored as its hash alone */
export async function insertRefreshToken({ kysely }: Queryable, grantId: number): Promise<string> {
  const token = `gw_refresh_${randomBytes(32).toString('base64url')}`;
  await kysely
    .insertInto('oauth_refresh_tokens')
    .values({ token_hash: hashKey(token), grant_id: grantId })
    .execute();
  return token;
}

/** A refresh token of a client with what it belongs to; a used one as well. */
export const findRefreshToken = ({ kysely }: Queryable, token: string, clientRowId: number) =>
  kysely
    .selectFrom('oauth_refresh_tokens as token')
    .innerJoin('oauth_grants as grant', 'grant.id', 'token.grant_id')
    .innerJoin('users as user', 'user.id', 'grant.user_id')
    .select(['token.id', 'token.used_at', 'grant.id as grant_id', 'grant.user_id', 'grant.provider_id', 'grant.scope'])
    .select(['grant.access_token', 'grant.refresh_token', 'grant.provider_expires_at', 'user.active', 'user.username'])
    .select(sql<boolean>`"grant".expires_at <= now()`.as('over'))
    .where('token.token_hash', '=', hashKey(token))
    .where('grant.client_row_id', '=', clientRowId)
    .executeTakeFirst();

export type RefreshTokenRow = NonNullable<Awaited<ReturnType<typeof findRefreshToken>>>;

/** @throws when they cannot be opened */
export const openProviderTokens = (row: RefreshTokenRow, encryption: Encryption): ProviderTokens => ({
  accessToken: encryption.decrypt(row.access_token, ...grantAccessTokenPlace(row.grant_id)),
  refreshToken:
    row.refresh_token === null ? null : encryption.decrypt(row.refresh_token, ...grantRefreshTokenPlace(row.grant_id)),
  expiresAtMs: row.provider_expires_at?.getTime() ?? null,
});

/** Lets one process at a time ask the provider for a grant: its refresh tokens too may be good once. */
export const claimGrant = async ({ kysely }: Queryable, id: number): Promise<boolean> =>
  (await kysely
    .updateTable('oauth_grants')
    .set({ refreshing_until: sql<Date>`now() + interval '20 seconds'` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(refreshing_until <= now(), true)`)
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const freeGrant = ({ kysely }: Queryable, id: number): Promise<unknown> =>
  kysely.updateTable('oauth_grants').set({ refreshing_until: null }).where('id', '=', id).execute();

/** False where it was used meanwhile. */
export const useRefreshToken = async ({ kysely }: Queryable, id: number): Promise<boolean> =>
  (await kysely
    .updateTable('oauth_refresh_tokens')
    .set({ used_at: databaseNow })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** Ends a grant with all its tokens. Undefined where it is gone. */
export const deleteGrant = ({ kysely }: Queryable, id: number) =>
  kysely
    .deleteFrom('oauth_grants')
    .where('id', '=', id)
    .returning(['id', 'proxy_id', 'user_id', 'client_row_id'])
    .executeTakeFirst();

export const expireGrants = async ({ kysely }: Queryable): Promise<void> => {
  await kysely.deleteFrom('oauth_grants').where('expires_at', '<=', databaseNow).execute();
  // One that comes again after that ends nothing any more, and is good for nothing.
  await kysely
    .deleteFrom('oauth_refresh_tokens')
    .where('used_at', '<', sql<Date>`now() - ${`${idleDays} days`}::interval`)
    .execute();
};
