import type { User } from '@portcullis/contracts/routes/auth';
import type { UserRole } from '@portcullis/contracts/route';
import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly role: UserRole;
  readonly created_at: Date;
}

const columns = ['id', 'username', 'email', 'role', 'created_at'] as const;

/** Users who were deactivated are not found. */
export const findActiveUser = ({ kysely }: Database, id: number): Promise<UserRow | undefined> =>
  kysely
    .selectFrom('users')
    .select(columns)
    .where('id', '=', id)
    .where('active', '=', true)
    .$narrowType<{ role: UserRole }>()
    .executeTakeFirst();

/** Finds an active user by name or, where nobody has that name, by e-mail address. */
export const findUserToLogIn = (
  { kysely }: Database,
  name: string,
): Promise<(UserRow & { readonly password_hash: string }) | undefined> =>
  kysely
    .selectFrom('users')
    .select([...columns, 'password_hash'])
    .where((where) => where.or({ username: name, email: name }))
    .where('active', '=', true)
    .orderBy(sql`username = ${name}`, 'desc')
    .orderBy('id')
    .limit(1)
    .$narrowType<{ role: UserRole }>()
    .executeTakeFirst();

/** Makes the admin of an empty table; false when there is a user already. Of several at once one wins. */
export async function insertFirstAdmin({ kysely }: Database, username: string, passwordHash: string): Promise<boolean> {
  const { rows } = await sql`
    insert into users (username, email, role, password_hash)
    select ${username}, ${`${username}@localhost`}, 'admin', ${passwordHash}
    where not exists (select from users)
    on conflict (username) do nothing
    returning id
  `.execute(kysely);
  return rows.length > 0;
}

export const hasUsers = async ({ kysely }: Database): Promise<boolean> =>
  (await kysely.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

export const renderUser = ({ created_at: createdAt, id, username, email, role }: UserRow): User => ({
  id,
  username,
  email,
  role,
  created_at: createdAt.toISOString(),
});
