import { numbered, tableSource, type RowsById, type SnapshotSource } from './snapshot-source.ts';

export interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly user_group_id: number;
  readonly key_hash: string;
  readonly active: boolean;
  /** Epoch milliseconds or null. */
  readonly expires_at_ms: number | null;
  /** Null, and absent from copies of older versions: none, and no restriction. */
  readonly owner_id?: number | null;
  readonly rotated_to?: number | null;
  readonly allowed_models?: readonly string[] | null;
  readonly allowed_tools?: readonly string[] | null;
  readonly allowed_agents?: readonly string[] | null;
}

export interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  /** Null, and absent from copies of older versions: none. */
  readonly client_certificate_subject?: string | null;
}

/** Who may call, as every data plane has it. A data plane may know more of a group. */
export interface CallerTables<Group extends GroupRow = GroupRow> {
  readonly keys: RowsById<KeyRow>;
  readonly groups: RowsById<Group>;
}

export const keySource: SnapshotSource<KeyRow> = {
  kind: 'api_keys',
  idOf: ({ id }) => id,
  async load(reader, ids) {
    const rows = await reader
      .selectFrom('api_keys')
      .leftJoin('api_keys as successors', 'successors.rotated_from', 'api_keys.id')
      .select(['api_keys.id', 'api_keys.name', 'api_keys.user_group_id', 'api_keys.key_hash', 'api_keys.active'])
      .select(['api_keys.expires_at', 'api_keys.owner_id', 'successors.id as rotated_to'])
      .select(['api_keys.allowed_models', 'api_keys.allowed_tools', 'api_keys.allowed_agents'])
      .where(numbered('api_keys.id', ids))
      .execute();
    return rows.map(({ expires_at, ...row }) => ({ ...row, expires_at_ms: expires_at?.getTime() ?? null }));
  },
};

export const groupSource: SnapshotSource<GroupRow> = tableSource('user_groups', [
  'id',
  'name',
  'active',
  'client_certificate_subject',
]);
