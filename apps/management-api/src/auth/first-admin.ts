import type { Config } from '@portcullis/platform/config/config';
import type { Database } from '@portcullis/platform/database/database';
import type { Logger } from '@portcullis/platform/log/logger';
import { hashPassword } from '@portcullis/platform/security/password';
import { inventPassword } from './check-new-password.ts';
import { hasUsers, insertFirstAdmin } from '@portcullis/platform/identity/user-queries';

export interface FirstAdmin {
  readonly username: string;
  readonly password: string;
}

/**
 * Makes the admin user when there is no user at all. Answers the password when it was made up here,
 * so that the operator can be told once; a password from the environment is known already.
 */
export async function createFirstAdmin(
  database: Database,
  config: Pick<Config, 'ADMIN_USERNAME' | 'ADMIN_PASSWORD'>,
  log: Logger,
): Promise<FirstAdmin | undefined> {
  if (await hasUsers(database)) {
    if (config.ADMIN_PASSWORD !== undefined) {
      log.info(
        'ADMIN_PASSWORD is ignored: it counts at the first start only. To replace a lost password: npm run reset-admin',
      );
    }
    return undefined;
  }
  const username = config.ADMIN_USERNAME;
  const password = config.ADMIN_PASSWORD?.reveal() ?? inventPassword();
  const made = await insertFirstAdmin(database, username, await hashPassword(password));
  return made && config.ADMIN_PASSWORD === undefined ? { username, password } : undefined;
}
