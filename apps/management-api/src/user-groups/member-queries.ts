import type { UserRole } from '@portcullis/contracts/route';
import type { Queryable } from '@portcullis/platform/database/database';
import { userColumns, type UserRow } from '@portcullis/platform/identity/user-queries';

export const listMembers = ({ kysely }: Queryable, groupId: number): Promise<UserRow[]> =>
  kysely
    .selectFrom('user_group_members')
    .innerJoin('users', 'users.id', 'user_id')
    .select(userColumns)
    .where('user_group_id', '=', groupId)
    .orderBy('username')
    .$narrowType<{ role: UserRole }>()
    .execute();

/** False when the user belongs to the group already. */
export async function insertMember({ kysely }: Queryable, groupId: number, userId: number): Promise<boolean> {
  const inserted = await kysely
    .insertInto('user_group_members')
    .values({ user_group_id: groupId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** False when the user does not belong to the group. */
export async function deleteMember({ kysely }: Queryable, groupId: number, userId: number): Promise<boolean> {
  const deleted = await kysely
    .deleteFrom('user_group_members')
    .where('user_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  return deleted !== undefined;
}
