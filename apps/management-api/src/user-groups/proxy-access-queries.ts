import type { ProxyAccess, ProxyAccessChange } from '@portcullis/contracts/routes/proxy-access';
import type { ListenerType } from '@portcullis/contracts/records';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';

const entries = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('proxy_access')
    .innerJoin('proxies', 'proxies.id', 'proxy_access.proxy_id')
    .select([
      'proxy_access.id',
      'user_group_id',
      'proxy_id as proxy_config_id',
      'proxies.name as proxy_name',
      'proxies.type as proxy_type',
      'proxies.port as proxy_port',
      'permissions',
      'rate_limit',
      'active',
      'proxy_access.system_prompt_id',
      'proxy_access.created_at',
    ])
    .$narrowType<{ proxy_type: ListenerType }>();

export type AccessRow = Awaited<ReturnType<ReturnType<typeof entries>['execute']>>[number];

export const listAccess = (database: Queryable, groupId: number): Promise<AccessRow[]> =>
  entries(database).where('user_group_id', '=', groupId).orderBy('proxy_access.id').execute();

const loadAccess = (database: Queryable, id: number): Promise<AccessRow> =>
  entries(database).where('proxy_access.id', '=', id).executeTakeFirstOrThrow();

export async function insertAccess(
  database: Queryable,
  groupId: number,
  proxyId: number,
  options: ProxyAccessChange,
): Promise<AccessRow> {
  const { id } = await database.kysely
    .insertInto('proxy_access')
    .values({ user_group_id: groupId, proxy_id: proxyId, ...options })
    .returning('id')
    .executeTakeFirstOrThrow();
  return loadAccess(database, id);
}

export async function updateAccess(
  database: Queryable,
  groupId: number,
  accessId: number,
  change: ProxyAccessChange & { readonly system_prompt_id?: number | null },
): Promise<AccessRow | undefined> {
  const row = await database.kysely
    .updateTable('proxy_access')
    .set({ ...change, updated_at: databaseNow })
    .where('id', '=', accessId)
    .where('user_group_id', '=', groupId)
    .returning('id')
    .executeTakeFirst();
  return row && loadAccess(database, row.id);
}

/** Answers the entry as it was; undefined when the group had no access to the proxy. */
export async function deleteAccess(
  database: Queryable,
  groupId: number,
  proxyId: number,
): Promise<AccessRow | undefined> {
  const row = await entries(database)
    .where('user_group_id', '=', groupId)
    .where('proxy_id', '=', proxyId)
    .executeTakeFirst();
  if (row !== undefined) await database.kysely.deleteFrom('proxy_access').where('id', '=', row.id).execute();
  return row;
}

export const findAccess = (database: Queryable, groupId: number, accessId: number): Promise<AccessRow | undefined> =>
  entries(database).where('user_group_id', '=', groupId).where('proxy_access.id', '=', accessId).executeTakeFirst();

export function renderAccess(row: AccessRow): ProxyAccess {
  const { created_at: createdAt, proxy_port: _, ...same } = row;
  return { ...same, created_at: createdAt.toISOString() };
}
