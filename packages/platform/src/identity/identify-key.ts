import { describeEndedKey } from '@portcullis/core/identity/ended-key';
import { hashKey } from '@portcullis/core/identity/presented-key';
import type { Database } from '../database/database.ts';
import type { KeyCaller } from '../routes/bound-route.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { sql } from 'kysely';

/**
 * Finds whose key this is, as the database has it now, with the refusals of the proxy ports.
 * @throws {GatewayError} `key_unknown`, `key_revoked`, `key_expired`, `group_inactive`
 */
export async function identifyKeyOrThrow({ kysely }: Database, key: string): Promise<KeyCaller> {
  const row = await kysely
    .selectFrom('api_keys')
    .innerJoin('user_groups', 'user_groups.id', 'api_keys.user_group_id')
    .select(['api_keys.id', 'api_keys.name', 'api_keys.active', 'user_groups.active as group_active'])
    .leftJoin('api_keys as successors', 'successors.rotated_from', 'api_keys.id')
    .select(['api_keys.user_group_id', 'api_keys.allowed_agents', 'api_keys.expires_at', 'successors.id as rotated_to'])
    .select(sql<boolean>`coalesce(api_keys.expires_at <= now(), false)`.as('expired'))
    .where('api_keys.key_hash', '=', hashKey(key))
    .executeTakeFirst();
  if (row === undefined) throw new GatewayError('key_unknown');
  if (!row.active) throw new GatewayError('key_revoked', { message: describeEnded(row) });
  if (row.expired) throw new GatewayError('key_expired', { message: describeEnded(row) });
  if (!row.group_active) throw new GatewayError('group_inactive');
  const { allowed_agents: allowedAgents } = row;
  return {
    kind: 'api_key',
    id: row.id,
    name: row.name,
    groupId: row.user_group_id,
    ...(allowedAgents !== null && { allowedAgents }),
  };
}

const describeEnded = (row: { name: string; active: boolean; expires_at: Date | null; rotated_to: number | null }) =>
  describeEndedKey({
    name: row.name,
    active: row.active,
    expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    rotatedTo: row.rotated_to ?? undefined,
  });
