import type { UserGroup, UserGroupChange } from '@portcullis/contracts/routes/user-groups';
import type { Queryable } from '@portcullis/platform/database/database';
import type { UserGroupsTable } from '@portcullis/platform/database/tables';
import type { Selectable } from 'kysely';

export type UserGroupRow = Selectable<UserGroupsTable>;

const microUsdPerUsd = 1_000_000;

export const listUserGroupRows = ({ kysely }: Queryable): Promise<UserGroupRow[]> =>
  kysely.selectFrom('user_groups').selectAll().orderBy('id').execute();

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
    .set({ ...columns(change), updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** Deletes its keys and access entries too; undefined when there is no such group. */
export const deleteUserGroupRow = ({ kysely }: Queryable, id: number): Promise<UserGroupRow | undefined> =>
  kysely.deleteFrom('user_groups').where('id', '=', id).returningAll().executeTakeFirst();

const columns = ({ monthly_budget: budget, ...same }: UserGroupChange) => ({
  ...same,
  ...(budget !== undefined && {
    monthly_budget_micro_usd: budget === null ? null : Math.round(budget * microUsdPerUsd),
  }),
});

export const renderUserGroup = ({
  monthly_budget_micro_usd: budgetMicroUsd,
  created_at: createdAt,
  updated_at: updatedAt,
  ...same
}: UserGroupRow): UserGroup => ({
  ...same,
  monthly_budget: budgetMicroUsd === null ? null : budgetMicroUsd / microUsdPerUsd,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
