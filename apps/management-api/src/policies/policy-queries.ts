import type { PolicyFile, PolicyType } from '@portcullis/contracts/policy-file';
import type { Severity } from '@portcullis/contracts/records';
import type { StoredPolicy } from '@portcullis/contracts/routes/policies';
import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { sql } from 'kysely';

const policies = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('policies')
    .select([
      'id',
      'name',
      'version',
      'description',
      'severity',
      'policy_type',
      'builtin',
      'active',
      'inactive_reason',
      'revision',
      'saved_by',
      sql<PolicyFile>`document`.as('document'),
      'created_at',
      'updated_at',
    ])
    .$narrowType<{ severity: Severity; policy_type: PolicyType }>();

export type PolicyRow = Awaited<ReturnType<ReturnType<typeof policies>['execute']>>[number];

export const listPolicyRows = (database: Queryable): Promise<PolicyRow[]> => policies(database).orderBy('id').execute();

export const findPolicy = (database: Queryable, id: number): Promise<PolicyRow | undefined> =>
  policies(database).where('id', '=', id).executeTakeFirst();

export const findPolicyByName = (database: Queryable, name: string): Promise<PolicyRow | undefined> =>
  policies(database).where('name', '=', name).executeTakeFirst();

export async function insertPolicy(
  database: Queryable,
  file: PolicyFile,
  active: boolean,
  savedBy: string | null,
): Promise<number> {
  const { id } = await database.kysely
    .insertInto('policies')
    .values({ ...columns(file), active, saved_by: savedBy })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What is absent stays as it is. */
export interface PolicyChange {
  readonly file?: PolicyFile | undefined;
  readonly active?: boolean | undefined;
  /** Who saves the file. */
  readonly savedBy: string | null;
}

/** The trigger keeps the earlier document as a version. */
export const updatePolicyRow = async (
  { kysely }: Queryable,
  id: number,
  { file, active, savedBy }: PolicyChange,
): Promise<void> => {
  await kysely
    .updateTable('policies')
    .set({
      ...(file && { ...columns(file), saved_by: savedBy }),
      ...((file !== undefined || active === true) && { inactive_reason: null }),
      active,
      updated_at: databaseNow,
    })
    .where('id', '=', id)
    .execute();
};

/** Switches a policy off that cannot be run, as long as its document is the one that was looked at. */
export const deactivatePolicyRow = async (
  { kysely }: Queryable,
  { id, revision }: Pick<PolicyRow, 'id' | 'revision'>,
  reason: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await kysely
    .updateTable('policies')
    .set({ active: false, inactive_reason: reason })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Deletes a policy of the users' own and takes it from every proxy. */
export const deletePolicyRow = (database: Queryable, id: number): Promise<void> =>
  changeConfig(database, async (transaction) => {
    const row = await transaction
      .deleteFrom('policies')
      .where('id', '=', id)
      .where('builtin', '=', false)
      .returning('name')
      .executeTakeFirst();
    if (row !== undefined) {
      await transaction.deleteFrom('proxy_policies').where('policy_name', '=', row.name).execute();
    }
  });

const columns = (file: PolicyFile) => ({
  name: file.name,
  version: file.version,
  description: file.description,
  severity: file.severity,
  policy_type: file.policy_type,
  document: JSON.stringify(file),
});

/** Names the state of a policy: another after each change. */
export const policyTag = ({ revision, updated_at: updatedAt }: PolicyRow): string =>
  `"${revision}.${updatedAt.getTime()}"`;

export const renderPolicy = (row: PolicyRow): StoredPolicy => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
