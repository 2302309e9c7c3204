import type { UserChange } from '@portcullis/contracts/routes/users';
import type { UserRole } from '@portcullis/contracts/route';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql } from 'kysely';
import { userColumns, type UserRow } from '@portcullis/platform/identity/user-queries';

interface UserFilter {
  readonly role?: UserRole;
  readonly active?: boolean;
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

export async function listUserRows(
  { kysely }: Queryable,
  { role, active, search, limit, offset }: UserFilter,
): Promise<{ readonly rows: readonly UserRow[]; readonly total: number }> {
  const equal = whereEqual(kysely.selectFrom('users').select(userColumns), { role, active });
  const matching = whereContains(equal, sql`concat_ws(' ', username, email)`, search);
  return loadPage(matching.$narrowType<{ role: UserRole }>().orderBy(sql`lower(username)`), { limit, offset });
}

interface NewUser {
  readonly username: string;
  readonly email: string;
  readonly role: UserRole;
  readonly active: boolean;
  readonly password_hash: string;
  readonly must_change_password: boolean;
}

export const insertUser = ({ kysely }: Queryable, user: NewUser): Promise<UserRow> =>
  kysely
    .insertInto('users')
    .values(user)
    .returning(userColumns)
    .$narrowType<{ role: UserRole }>()
    .executeTakeFirstOrThrow();

export const updateUserRow = ({ kysely }: Queryable, id: number, change: UserChange): Promise<UserRow | undefined> =>
  kysely
    .updateTable('users')
    .set({ ...change, updated_at: databaseNow })
    .where('id', '=', id)
    .returning(userColumns)
    .$narrowType<{ role: UserRole }>()
    .executeTakeFirst();

/** Deletes a user with their sessions and memberships; undefined when there is none. */
export const deleteUserRow = ({ kysely }: Queryable, id: number): Promise<UserRow | undefined> =>
  kysely
    .deleteFrom('users')
    .where('id', '=', id)
    .returning(userColumns)
    .$narrowType<{ role: UserRole }>()
    .executeTakeFirst();
