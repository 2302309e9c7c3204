import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { hashPassword } from '@portcullis/platform/security/password';
import { inventPassword } from './check-new-password.ts';
import { deleteSessionsOfUser } from '@portcullis/platform/identity/session-queries';

/**
 * Gives an admin a made up password, which must be changed at the next login, makes the user active and ends all
 * sessions. Answers the password; only its hash is stored.
 * @throws when no admin has the name; the message lists those there are
 */
export async function resetAdminPassword(database: Database, username: string): Promise<string> {
  const password = inventPassword();
  const passwordHash = await hashPassword(password);
  await database.kysely.transaction().execute(async (transaction) => {
    const user = await transaction
      .updateTable('users')
      .set({ password_hash: passwordHash, must_change_password: true, active: true, updated_at: databaseNow })
      .where('username', '=', username)
      .where('role', '=', 'admin')
      .returning('id')
      .executeTakeFirst();
    if (user === undefined) throw await unknownAdmin({ kysely: transaction }, username);
    await deleteSessionsOfUser({ kysely: transaction }, user.id);
    await recordAudit(transaction, {
      event_type: 'auth.password.reset',
      actor: { type: 'system', id: null, name: 'npm run reset-admin' },
      resource: { type: 'user', id: user.id, name: username },
    });
  });
  return password;
}

async function unknownAdmin({ kysely }: Pick<Database, 'kysely'>, username: string): Promise<Error> {
  const admins = await kysely.selectFrom('users').select('username').where('role', '=', 'admin').limit(20).execute();
  const names = admins.map(({ username: name }) => JSON.stringify(name)).join(', ') || 'none';
  return new Error(`no admin is called ${JSON.stringify(username)}. Admins: ${names}`);
}
