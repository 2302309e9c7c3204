import type { CurrentUser, User } from '@portcullis/contracts/routes/auth';
import type { UserRole } from '@portcullis/contracts/route';
import type { Database, Queryable } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import type { UsersTable } from '../database/tables.ts';
import { sql, type Selectable } from 'kysely';

export type UserRow = Omit<Selectable<UsersTable>, 'password_hash' | 'role'> & { readonly role: UserRole };

export const userColumns = [
  'users.id',
  'username',
  'email',
  'role',
  'active',
  'must_change_password',
  'last_login_at',
  'users.created_at',
  'users.updated_at',
] as const;

const users = ({ kysely }: Queryable) =>
  kysely.selectFrom('users').select(userColumns).$narrowType<{ role: UserRole }>();

export const findUser = (database: Queryable, id: number): Promise<UserRow | undefined> =>
  users(database).where('id', '=', id).executeTakeFirst();

/** The active user with the hash of their password. */
export const findUserWithHash = (
  database: Queryable,
  id: number,
): Promise<(UserRow & { readonly password_hash: string }) | undefined> =>
  users(database).select('password_hash').where('id', '=', id).where('active', '=', true).executeTakeFirst();

/** How long after the last login from an address it counts as the user's own. */
const addressDays = 90;

export interface UserToLogIn extends UserRow {
  readonly password_hash: string;
  /** Whether they signed in from this address not long ago. */
  readonly knows_address: boolean;
}

const usersToLogIn = (database: Queryable, address: string) =>
  users(database)
    .select('password_hash')
    .select(
      sql<boolean>`exists (
        select from login_addresses where user_id = users.id and address = ${address}
        and last_login_at > now() - make_interval(days => ${addressDays}))`.as('knows_address'),
    );

const activeUsers = (database: Queryable, address: string) =>
  usersToLogIn(database, address).where('active', '=', true);

/**
 * Finds an active user by an e-mail address that a provider vouches for, and by nothing else: where a provider calls
 * `admin` an address, that is not the user of this name. Letters that only a language holds for the same, such as the
 * Kelvin sign and k, are different mailboxes.
 */
export const findUserOfAddress = (
  database: Queryable,
  email: string,
  address: string,
): Promise<UserToLogIn | undefined> =>
  activeUsers(database, address)
    .where(sql<boolean>`lower(email collate "C") = lower(${email}::text collate "C")`)
    .executeTakeFirst();

/** Finds a user, active or not, by what a provider calls them. */
export const findUserOfIdentity = (
  database: Queryable,
  { providerKey, issuer, subject }: { readonly providerKey: string; readonly issuer: string; readonly subject: string },
  address: string,
): Promise<UserToLogIn | undefined> =>
  usersToLogIn(database, address)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('user_identities')
          .whereRef('user_identities.user_id', '=', 'users.id')
          .where('provider_key', '=', providerKey)
          .where('issuer', '=', issuer)
          .where('subject', '=', subject),
      ),
    )
    .executeTakeFirst();

/** Finds an active user by name or, where no user has that name, by e-mail address; in any case of letters. */
export const findUserToLogIn = (database: Queryable, name: string, address: string): Promise<UserToLogIn | undefined> =>
  activeUsers(database, address)
    .where(sql<boolean>`lower(${name}) in (lower(username), lower(email))`)
    .orderBy(sql`lower(username) = lower(${name})`, 'desc')
    .limit(1)
    .executeTakeFirst();

/** Notes a login, and from where; addresses of long ago are forgotten. Answers its time. */
export async function saveLogin({ kysely }: Queryable, userId: number, address: string): Promise<Date | null> {
  const noted = await kysely
    .updateTable('users')
    .set({ last_login_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returning('last_login_at')
    .executeTakeFirst();
  await kysely
    .insertInto('login_addresses')
    .values({ user_id: userId, address })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ last_login_at: sql<Date>`now()` }))
    .execute();
  await kysely
    .deleteFrom('login_addresses')
    .where('user_id', '=', userId)
    .where('last_login_at', '<', sql<Date>`now() - make_interval(days => ${addressDays})`)
    .execute();
  return noted?.last_login_at ?? null;
}

export const savePasswordHash = (
  { kysely }: Queryable,
  id: number,
  passwordHash: string,
  mustChange: boolean,
): Promise<UserRow | undefined> =>
  kysely
    .updateTable('users')
    .set({ password_hash: passwordHash, must_change_password: mustChange, updated_at: databaseNow })
    .where('id', '=', id)
    .returning(userColumns)
    .$narrowType<{ role: UserRole }>()
    .executeTakeFirst();

/** Makes the admin of an empty table; false when there is a user already. Of several at once one wins. */
export async function insertFirstAdmin({ kysely }: Database, username: string, passwordHash: string): Promise<boolean> {
  const { rows } = await sql`
    insert into users (username, email, role, password_hash)
    select ${username}, ${localEmail(username)}, 'admin', ${passwordHash}
    where not exists (select from users)
    on conflict do nothing
    returning id
  `.execute(kysely);
  return rows.length > 0;
}

/** The address of a user who has none. */
export const localEmail = (username: string): string => `${username}@localhost`;

export const hasUsers = async ({ kysely }: Database): Promise<boolean> =>
  (await kysely.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

export const listGroupsOfUser = ({ kysely }: Queryable, userId: number): Promise<CurrentUser['groups']> =>
  kysely
    .selectFrom('user_group_members')
    .innerJoin('user_groups', 'user_groups.id', 'user_group_id')
    .select(['user_groups.id', 'name', 'description', 'active'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute();

export const renderUser = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
  active: row.active,
  must_change_password: row.must_change_password,
  last_login_at: row.last_login_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
