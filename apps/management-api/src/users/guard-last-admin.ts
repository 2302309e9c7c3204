import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Database } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Transaction } from 'kysely';

/**
 * Makes a change of users that may cost an admin. The active admins are locked first, so of two
 * changes at once the second sees what the first has left.
 * @throws {GatewayError} `conflict` when no active admin would be left; nothing is changed then
 */
export const guardLastAdmin = <Result>(
  database: Database,
  change: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> =>
  // Users are configuration, whose lock comes before that of any row: else two changes could wait for each other.
  changeConfig(database, async (transaction) => {
    const admins = activeAdmins(transaction);
    await admins.orderBy('id').forUpdate().execute();
    const result = await change(transaction);
    if ((await admins.limit(1).executeTakeFirst()) === undefined) {
      throw new GatewayError('conflict', { message: 'This is the last active admin; make another one first' });
    }
    return result;
  });

const activeAdmins = (transaction: Transaction<Tables>) =>
  transaction.selectFrom('users').select('id').where('role', '=', 'admin').where('active', '=', true);
