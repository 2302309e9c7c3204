import type { PolicyFile } from '@portcullis/contracts/policy-file';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

export const listVersionRows = (
  { kysely }: Queryable,
  policyId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) =>
  kysely
    .selectFrom('policy_versions')
    .select(['revision', 'version', 'saved_at', 'saved_by'])
    .where('policy_id', '=', policyId)
    .orderBy('revision', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

export async function countVersions({ kysely }: Queryable, policyId: number): Promise<number> {
  const { total } = await kysely
    .selectFrom('policy_versions')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('policy_id', '=', policyId)
    .executeTakeFirstOrThrow();
  return total;
}

export const findVersion = ({ kysely }: Queryable, policyId: number, revision: number) =>
  kysely
    .selectFrom('policy_versions')
    .select(['revision', 'version', 'saved_at', 'saved_by', sql<PolicyFile>`document`.as('document')])
    .where('policy_id', '=', policyId)
    .where('revision', '=', revision)
    .executeTakeFirst();

export const renderVersion = <Row extends { readonly saved_at: Date }>(row: Row) => ({
  ...row,
  saved_at: row.saved_at.toISOString(),
});
