import { named, type SnapshotSource } from '../snapshot/snapshot-source.ts';

export interface PolicyRow {
  readonly name: string;
  readonly document: unknown;
}

/** A policy of what it is assigned to. */
export interface AssignedPolicy {
  readonly policy_name: string;
  /** `shadow`: evaluated and recorded, never enforced. */
  readonly mode: string;
}

/** The policies that are active. */
export const policySource: SnapshotSource<PolicyRow> = {
  kind: 'policies',
  idOf: ({ name }) => name,
  load: (reader, ids) =>
    reader
      .selectFrom('policies')
      .select(['name', 'document'])
      .where('active', '=', true)
      .where(named('name', ids))
      .execute(),
};
