import { sql } from 'kysely';
import { numbered, type RowsById, type SnapshotSource } from './snapshot-source.ts';

/** A session that lasts; the token that counts of it is known by its `jti`. */
export interface SessionRow {
  readonly id: string;
  readonly user_id: number;
  readonly token_id: string;
}

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly role: string;
  readonly active: boolean;
  readonly must_change_password: boolean;
}

export interface MemberRow {
  readonly user_id: number;
  readonly user_group_id: number;
}

/** Who has signed in, for a data plane that takes the tokens of sessions. */
export interface LoginTables {
  readonly sessions: RowsById<SessionRow>;
  readonly users: RowsById<UserRow>;
  readonly members: RowsById<MemberRow>;
}

export const sessionSource: SnapshotSource<SessionRow> = {
  kind: 'login_sessions',
  idOf: ({ id }) => id,
  load: (reader, ids) =>
    reader
      .selectFrom('login_sessions')
      .select(['id', 'user_id', 'token_id'])
      .where(ids === undefined ? sql<boolean>`true` : sql<boolean>`id = any(${ids}::uuid[])`)
      .execute(),
};

export const userSource: SnapshotSource<UserRow> = {
  kind: 'users',
  idOf: ({ id }) => id,
  load: (reader, ids) =>
    reader
      .selectFrom('users')
      .select(['id', 'username', 'email', 'role', 'active', 'must_change_password'])
      .where(numbered('id', ids))
      .execute(),
};

export const memberSource: SnapshotSource<MemberRow> = {
  kind: 'user_group_members',
  idOf: ({ user_id: id }) => id,
  load: (reader, ids) =>
    reader
      .selectFrom('user_group_members')
      .select(['user_id', 'user_group_id'])
      .where(numbered('user_id', ids))
      .execute(),
};
