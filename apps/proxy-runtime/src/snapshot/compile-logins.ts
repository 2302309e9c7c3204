import { finish } from '@portcullis/core/collections/finish-steps';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import { EntryIndex, GroupedIndex } from '@portcullis/platform/snapshot/entry-index';
import type { LoginTables, MemberRow, SessionRow, UserRow } from '@portcullis/platform/snapshot/login-sources';
import type { Logins } from './snapshot.ts';

/** Compiles sessions, users and who belongs to which group, of which a change compiles only what it touched. */
export interface LoginCompiler {
  prepare(rows: LoginTables): Promise<void>;
  compile(rows: LoginTables): Logins;
}

export function createLoginCompiler(): LoginCompiler {
  const sessions = new EntryIndex(
    ({ id }: SessionRow) => id,
    ({ user_id: userId, token_id: tokenId }) => ({ userId, tokenId }),
  );
  const users = new EntryIndex(
    ({ id }: UserRow) => id,
    ({ must_change_password: mustChangePassword, ...user }) => ({ ...user, mustChangePassword }),
  );
  const members = new GroupedIndex<MemberRow, true>((row) => [row.user_id, row.user_group_id]);
  return {
    async prepare(rows) {
      await runTimeSliced(sessions.follow(rows.sessions));
      await runTimeSliced(users.follow(rows.users));
      await runTimeSliced(members.follow(rows.members, belongs));
    },
    compile: (rows) => ({
      sessions: finish(sessions.follow(rows.sessions)),
      users: finish(users.follow(rows.users)),
      groups: finish(members.follow(rows.members, belongs)),
    }),
  };
}

const belongs = (): true => true;
