import type { UserGroup, UserGroupChange } from '@portcullis/contracts/routes/user-groups';
import { microUsdOf, renderUsd } from '@portcullis/core/budget/usd';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { UserGroupsTable } from '@portcullis/platform/database/tables';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql, type Selectable } from 'kysely';

export type UserGroupRow = Selectable<UserGroupsTable>;

interface UserGroupFilter {
  readonly active?: boolean;
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

export async function listUserGroupRows(
  { kysely }: Queryable,
  { active, search, limit, offset }: UserGroupFilter,
): Promise<{ readonly rows: readonly UserGroupRow[]; readonly total: number }> {
  const groups = whereEqual(kysely.selectFrom('user_groups').selectAll().orderBy('id'), { active });
  return loadPage(whereContains(groups, sql`concat_ws(' ', name, description)`, search), { limit, offset });
}

export const findUserGroup = ({ kysely }: Queryable, id: number): Promise<UserGroupRow | undefined> =>
  kysely.selectFrom('user_groups').selectAll().where('id', '=', id).executeTakeFirst();

export const insertUserGroup = (
  { kysely }: Queryable,
  { name, ...rest }: UserGroupChange & { readonly name: string },
): Promise<UserGroupRow> =>
  kysely
    .insertInto('user_groups')
    .values({ name, ...columns(rest) })
    .returningAll()
    .executeTakeFirstOrThrow();

export const updateUserGroupRow = (
  { kysely }: Queryable,
  id: number,
  change: UserGroupChange,
): Promise<UserGroupRow | undefined> =>
  kysely
    .updateTable('user_groups')
    .set({ ...columns(change), updated_at: databaseNow })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** How many keys of a group still work. */
export async function countWorkingKeys({ kysely }: Queryable, groupId: number): Promise<number> {
  const { count } = await kysely
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_group_id', '=', groupId)
    .where('active', '=', true)
    .where(sql<boolean>`coalesce(expires_at > now(), true)`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes its keys and access entries too; undefined when there is no such group. */
export const deleteUserGroupRow = ({ kysely }: Queryable, id: number): Promise<UserGroupRow | undefined> =>
  kysely.deleteFrom('user_groups').where('id', '=', id).returningAll().executeTakeFirst();

const columns = ({ monthly_budget: budget, warning_threshold: threshold, ...same }: UserGroupChange) => ({
  ...same,
  ...(threshold !== undefined && { budget_warning_threshold: threshold }),
  ...(budget !== undefined && {
    monthly_budget_micro_usd: budget === null ? null : microUsdOf(budget),
  }),
});

export const renderUserGroup = ({
  monthly_budget_micro_usd: budgetMicroUsd,
  created_at: createdAt,
  updated_at: updatedAt,
  ...same
}: UserGroupRow): UserGroup => ({
  ...same,
  monthly_budget: budgetMicroUsd === null ? null : renderUsd(budgetMicroUsd),
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
