import { createHash, randomBytes } from 'node:crypto';
import type { UserRole } from '@portcullis/contracts/route';
import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { UserCaller } from '../routes/bound-route.ts';

const lifetimeMs = 60_000;
const maxOpenOfSession = 20;
const parameter = 'download_token';
/** At the end of an address, where it was put: the rest must be what was asked for, letter by letter. */
const withToken = /^(.*)[?&]download_token=([\w-]{43})$/;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Makes an address that is good once, for what it was made for and in the name of the session that asked.
 * @param target path and query
 * @throws {GatewayError} `too_many_requests`
 */
export async function insertDownloadLink({ kysely }: Queryable, sessionId: string, target: string) {
  await kysely
    .deleteFrom('download_links')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  const { open } = await kysely
    .selectFrom('download_links')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  if (open >= maxOpenOfSession) {
    throw new GatewayError('too_many_requests', {
      message: `At most ${maxOpenOfSession} links are open at once; each ends after a minute`,
      headers: { 'retry-after': String(lifetimeMs / 1_000) },
    });
  }
  const token = randomBytes(32).toString('base64url');
  const { expires_at: expiresAt } = await kysely
    .insertInto('download_links')
    .values({
      token_hash: hashOf(token),
      session_id: sessionId,
      target,
      expires_at: sql<Date>`now() + make_interval(secs => ${lifetimeMs / 1_000})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { url: `${target}${target.includes('?') ? '&' : '?'}${parameter}=${token}`, expiresAt };
}

/**
 * The user in whose name a link was made, which is nothing from then on; undefined for an address without a token.
 * @param url path and query as they were sent
 * @throws {GatewayError} `invalid_token` when it was used before, has expired, is for something else, or its session has ended
 */
export async function useDownloadLink(
  { kysely }: Queryable,
  { method, url }: { readonly method: string | undefined; readonly url: string },
): Promise<UserCaller | undefined> {
  const [, target, token] = withToken.exec(url) ?? [];
  if (method !== 'GET' || target === undefined || token === undefined) return undefined;
  const link = await kysely
    .deleteFrom('download_links')
    .where('token_hash', '=', hashOf(token))
    .where('target', '=', target)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('session_id')
    .executeTakeFirst();
  const user =
    link &&
    (await kysely
      .selectFrom('login_sessions')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['users.id', 'username', 'role', 'must_change_password', 'provider_name'])
      .where('login_sessions.id', '=', link.session_id)
      .where('active', '=', true)
      .where('expires_at', '>', sql<Date>`now()`)
      .$narrowType<{ role: UserRole }>()
      .executeTakeFirst());
  if (user === undefined) {
    throw new GatewayError('invalid_token', {
      message: 'The link was used before, has expired, or is for something else',
    });
  }
  const { id, username, role } = user;
  return {
    kind: 'user',
    id,
    username,
    role,
    mustChangePassword: user.must_change_password && user.provider_name === null,
  };
}
