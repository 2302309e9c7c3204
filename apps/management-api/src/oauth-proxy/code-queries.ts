import { hashKey } from '@portcullis/core/identity/presented-key';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { OauthProxyCodesTable } from '@portcullis/platform/database/tables';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { randomBytes } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { PendingAuthorization } from './oauth-proxy-parts.ts';
import type { ProviderTokens } from './provider-tokens.ts';

export type CodeRow = Selectable<OauthProxyCodesTable>;

/** How long a client may take to exchange its code. */
const lifetimeS = 60;

interface NewCode {
  readonly request: PendingAuthorization;
  readonly userId: number;
  readonly providerId: number;
  readonly tokens: ProviderTokens;
}

/** Tokens that wait for their client are nothing under another code. */
const placeOf = (codeHash: string): string => `oauth_proxy_codes.tokens:${codeHash}`;

/** Writes what a user let a client do. @returns the code, which is stored as its hash alone */
export async function insertCode(
  { kysely }: Queryable,
  encryption: Encryption,
  { request, userId, providerId, tokens }: NewCode,
): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  const hash = hashKey(code);
  await kysely
    .insertInto('oauth_proxy_codes')
    .values({
      code_hash: hash,
      client_row_id: request.clientRowId,
      user_id: userId,
      provider_id: providerId,
      redirect_uri: request.redirectUri,
      code_challenge: request.challenge,
      scope: request.scopes.join(' '),
      tokens: encryption.encrypt(JSON.stringify(tokens), placeOf(hash)),
      expires_at: sql<Date>`now() + ${`${lifetimeS} seconds`}::interval`,
    })
    .execute();
  return code;
}

/** The code of a client, locked; with whether its time is over. */
export const lockCode = ({ kysely }: Queryable, code: string, clientRowId: number) =>
  kysely
    .selectFrom('oauth_proxy_codes')
    .selectAll()
    .select(sql<boolean>`expires_at <= now()`.as('over'))
    .where('code_hash', '=', hashKey(code))
    .where('client_row_id', '=', clientRowId)
    .forUpdate()
    .executeTakeFirst();

/** @param grantId undefined where the code was burnt */
export const useCode = ({ kysely }: Queryable, id: number, grantId: number | undefined): Promise<unknown> =>
  kysely
    .updateTable('oauth_proxy_codes')
    .set({ used_at: databaseNow, tokens: null, grant_id: grantId ?? null })
    .where('id', '=', id)
    .execute();

/** @throws when they cannot be opened */
export const openCodeTokens = ({ tokens, code_hash: hash }: CodeRow, encryption: Encryption): ProviderTokens =>
  JSON.parse(encryption.decrypt(tokens ?? '', placeOf(hash))) as ProviderTokens;

/** Kept for a day, so that a code which comes a second time is known. */
export const expireCodes = ({ kysely }: Queryable): Promise<unknown> =>
  kysely
    .deleteFrom('oauth_proxy_codes')
    .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
