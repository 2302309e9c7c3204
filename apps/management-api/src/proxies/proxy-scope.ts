import type { Database } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Kysely } from 'kysely';

/** The user group whose proxies are all that a caller sees; undefined for users, who see every proxy. */
export const groupOf = (caller: Caller | undefined): number | undefined =>
  caller?.kind === 'api_key' ? caller.groupId : undefined;

/** Ids of the proxies that a user group may use. */
export const proxiesOfGroup = (kysely: Kysely<Tables>, groupId: number) =>
  kysely.selectFrom('proxy_access').select('proxy_id').where('user_group_id', '=', groupId).where('active', '=', true);

/**
 * Lets an API key see only proxies of its group. A proxy that does not exist is refused alike, so
 * that a key learns nothing about what others have.
 * @throws {GatewayError} `access_denied`
 */
export async function checkScopeOrThrow(
  { kysely }: Database,
  caller: Caller | undefined,
  proxyId: number,
): Promise<void> {
  const groupId = groupOf(caller);
  if (groupId === undefined) return;
  const access = await proxiesOfGroup(kysely, groupId).where('proxy_id', '=', proxyId).executeTakeFirst();
  if (access === undefined) throw new GatewayError('access_denied');
}
