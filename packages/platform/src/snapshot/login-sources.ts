import { tableSource, type RowsById, type SnapshotSource } from './snapshot-source.ts';

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

export const sessionSource: SnapshotSource<SessionRow> = tableSource('login_sessions', ['id', 'user_id', 'token_id'], {
  idType: 'uuid',
});

export const userSource: SnapshotSource<UserRow> = tableSource('users', [
  'id',
  'username',
  'email',
  'role',
  'active',
  'must_change_password',
]);

export const memberSource: SnapshotSource<MemberRow> = tableSource('user_group_members', ['user_id', 'user_group_id']);
