/** Opens a database, says so, and brings it to the newest schema. */
import { Secret } from '../../src/config/secret.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/connection/open-database.ts';
import { silentLog } from '../test-database.ts';

const [dataDirectory = '', url] = process.argv.slice(2);
await using database = await openDatabase({
  ...(url !== undefined && { url: new Secret(url) }),
  dataDirectory,
  maxConnections: 1,
  queryTimeoutMs: 10_000,
  log: silentLog,
});
await database.check();
process.stdout.write('open\n');
await migrate(database);
process.stdout.write('migrated\n');
