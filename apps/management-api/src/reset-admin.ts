/**
 * `npm run reset-admin [-- <username>]`: prints a new password for an admin, ADMIN_USERNAME unless another one is named,
 * on DATABASE_URL or on the embedded database while no gateway runs on it. Ends with 1 when nothing was changed.
 */
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { openExistingDatabase } from '@portcullis/platform/database/connection/open-existing-database';
import { FileLocked } from '@portcullis/platform/process/file-lock';
import { problemText } from '@portcullis/platform/errors/problem';
import { resetAdminPassword } from './auth/reset-admin-password.ts';

try {
  const config = parseConfigOrThrow(process.env);
  const username = process.argv[2] ?? config.ADMIN_USERNAME;
  await using database = await openExistingDatabase(config);
  const password = await resetAdminPassword(database, username);
  process.stdout.write(
    `New password of ${username}: ${password}\nIt must be changed at the next login. All sessions of ${username} have ended.\n`,
  );
} catch (error) {
  const hint = error instanceof FileLocked ? ': stop that gateway first' : '';
  process.stderr.write(`No password was changed: ${problemText(error)}${hint}\n`);
  process.exitCode = 1;
}
