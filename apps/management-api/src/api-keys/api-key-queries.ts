import type { ApiKey, ApiKeyChange, ApiKeyCreation, ApiKeyRotation } from '@portcullis/contracts/routes/api-keys';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { sql } from 'kysely';

const prefixLength = 8;
/** Characters of a key that nobody is shown: a short one that clients had already would be told by its first. */
const hiddenLength = 12;

const prefixOf = (key: string): string => key.slice(0, Math.max(0, Math.min(prefixLength, key.length - hiddenLength)));

const keys = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('api_keys')
    .innerJoin('user_groups', 'user_groups.id', 'api_keys.user_group_id')
    .leftJoin('api_key_usage', 'api_key_usage.api_key_id', 'api_keys.id')
    .leftJoin('users as owners', 'owners.id', 'api_keys.owner_id')
    .leftJoin('api_keys as successors', 'successors.rotated_from', 'api_keys.id')
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.key_prefix',
      'api_keys.user_group_id',
      'user_groups.name as user_group_name',
      'api_keys.description',
      'api_keys.active',
      'api_keys.owner_id',
      'owners.username as owner',
      'api_keys.rotated_from',
      'successors.id as rotated_to',
      'api_keys.allowed_models',
      'api_keys.allowed_tools',
      'api_keys.allowed_agents',
      'api_keys.expires_at',
      sql<boolean>`coalesce(api_keys.expires_at <= now(), false)`.as('is_expired'),
      'last_used_at',
      sql<number>`coalesce(request_count, 0)`.as('request_count'),
      'api_keys.created_at',
      'api_keys.updated_at',
    ]);

export type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof keys>['execute']>>[number];

interface ApiKeyFilter {
  readonly user_group_id?: number;
  readonly active?: boolean;
  readonly owner_id?: number;
  readonly unused_days?: number;
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

export async function listApiKeyRows(
  database: Queryable,
  { user_group_id: groupId, owner_id: ownerId, active, unused_days: unusedDays, search, limit, offset }: ApiKeyFilter,
): Promise<{ readonly rows: readonly ApiKeyRow[]; readonly total: number }> {
  const values = { 'api_keys.user_group_id': groupId, 'api_keys.owner_id': ownerId, 'api_keys.active': active };
  const texts = sql`concat_ws(' ', api_keys.name, api_keys.description, api_keys.key_prefix)`;
  let query = whereContains(whereEqual(keys(database), values), texts, search);
  if (unusedDays !== undefined) {
    const lastUsed = sql`coalesce(last_used_at, api_keys.created_at)`;
    query = query.where(sql<boolean>`${lastUsed} < now() - make_interval(days => ${unusedDays})`);
  }
  return loadPage(query.orderBy('api_keys.id'), { limit, offset });
}

export const findApiKey = (database: Queryable, id: number): Promise<ApiKeyRow | undefined> =>
  keys(database).where('api_keys.id', '=', id).executeTakeFirst();

/** Undefined when there is no such key. */
export async function updateApiKeyRow(
  database: Queryable,
  id: number,
  change: ApiKeyChange,
): Promise<ApiKeyRow | undefined> {
  await database.kysely
    .updateTable('api_keys')
    .set({ ...change, updated_at: databaseNow })
    .where('id', '=', id)
    .execute();
  return findApiKey(database, id);
}

export const findApiKeyByHash = (database: Queryable, hash: string): Promise<ApiKeyRow | undefined> =>
  keys(database).where('api_keys.key_hash', '=', hash).executeTakeFirst();

interface NewKey {
  readonly key: string;
  readonly hash: string;
}

const endOf = ({
  expires_in_days: days,
  expires_in_minutes: minutes,
}: Pick<ApiKeyCreation, 'expires_in_days' | 'expires_in_minutes'>) =>
  days === undefined && minutes === undefined
    ? null
    : sql<Date>`now() + make_interval(days => ${days ?? 0}, mins => ${minutes ?? 0})`;

export async function insertApiKey(
  database: Queryable,
  creation: ApiKeyCreation,
  { key, hash }: NewKey,
): Promise<ApiKeyRow> {
  const { id } = await database.kysely
    .insertInto('api_keys')
    .values({
      user_group_id: creation.user_group_id,
      name: creation.name,
      description: creation.description,
      owner_id: creation.owner_id ?? null,
      allowed_models: creation.allowed_models ?? null,
      allowed_tools: creation.allowed_tools ?? null,
      allowed_agents: creation.allowed_agents ?? null,
      key_hash: hash,
      key_prefix: prefixOf(key),
      expires_at: endOf(creation),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return keys(database).where('api_keys.id', '=', id).executeTakeFirstOrThrow();
}

/**
 * A key that takes the place of another, which counts until the overlap is over, or its own end if that comes first. Unless
 * told otherwise it lives as long as the other was to live.
 */
export async function rotateApiKeyRow(
  database: Queryable,
  replaced: ApiKeyRow,
  { overlap_minutes: overlapMinutes = dayMinutes, ...end }: ApiKeyRotation,
  { key, hash }: NewKey,
): Promise<{ readonly created: ApiKeyRow; readonly replaced: ApiKeyRow }> {
  const { kysely } = database;
  const { id } = await kysely
    .insertInto('api_keys')
    .values({
      user_group_id: replaced.user_group_id,
      name: replaced.name,
      description: replaced.description,
      owner_id: replaced.owner_id,
      allowed_models: replaced.allowed_models,
      allowed_tools: replaced.allowed_tools,
      allowed_agents: replaced.allowed_agents,
      rotated_from: replaced.id,
      key_hash: hash,
      key_prefix: prefixOf(key),
      expires_at:
        endOf(end) ?? sql<Date>`now() + (select expires_at - created_at from api_keys where id = ${replaced.id})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await kysely
    .updateTable('api_keys')
    .set({
      updated_at: databaseNow,
      ...(overlapMinutes === 0
        ? { active: false }
        : { expires_at: sql<Date>`least(expires_at, now() + make_interval(mins => ${overlapMinutes}))` }),
    })
    .where('id', '=', replaced.id)
    .execute();
  await copyBudgets(database, replaced.id, id);
  return {
    created: await keys(database).where('api_keys.id', '=', id).executeTakeFirstOrThrow(),
    replaced: await keys(database).where('api_keys.id', '=', replaced.id).executeTakeFirstOrThrow(),
  };
}

const dayMinutes = 1_440;

/** Its limits, and by what they are raised: a rotation takes none away. What was spent stays with the key that spent it. */
async function copyBudgets({ kysely }: Queryable, from: number, to: number): Promise<void> {
  await sql`
    insert into budgets (api_key_id, period, amount_micro_usd, warning_threshold, block_at_threshold)
    select ${to}, period, amount_micro_usd, warning_threshold, block_at_threshold
    from budgets where api_key_id = ${from}`.execute(kysely);
  await sql`
    insert into budget_raises (api_key_id, period, amount_micro_usd, ends_at, reason, created_by)
    select ${to}, period, amount_micro_usd, ends_at, reason, created_by
    from budget_raises where api_key_id = ${from} and ends_at > now()`.execute(kysely);
}

/** Answers the key as it was; undefined when there is no such key. */
export async function revokeApiKeyRow(database: Queryable, id: number): Promise<ApiKeyRow | undefined> {
  const row = await keys(database).where('api_keys.id', '=', id).executeTakeFirst();
  const { kysely } = database;
  await kysely.updateTable('api_keys').set({ active: false, updated_at: databaseNow }).where('id', '=', id).execute();
  return row;
}

/** Answers the key as it was; undefined when there is no such key. */
export async function deleteApiKeyRow(database: Queryable, id: number): Promise<ApiKeyRow | undefined> {
  const row = await keys(database).where('api_keys.id', '=', id).executeTakeFirst();
  await database.kysely.deleteFrom('api_keys').where('id', '=', id).execute();
  return row;
}

export const renderApiKey = (row: ApiKeyRow): ApiKey => ({
  ...row,
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
