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
      .select(['id', 'name', 'user_group_id', 'key_hash', 'active', 'expires_at'])
      .select(['owner_id', 'allowed_models', 'allowed_tools', 'allowed_agents'])
      .where(numbered('id', ids))
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
