import { sql } from 'kysely';
import { tableSource, type SnapshotSource } from '../snapshot/snapshot-source.ts';

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
export const policySource: SnapshotSource<PolicyRow> = tableSource('policies', ['name', 'document'], {
  idType: 'text',
  where: sql`active`,
});
