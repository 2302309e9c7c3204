/** Opens the embedded database in the folder given and inserts rows for ever, printing each one's id once it is committed. */
import { openDatabase } from '../../src/database/connection/open-database.ts';
import { silentLog } from '../test-database.ts';

const [dataDirectory = ''] = process.argv.slice(2);
const database = await openDatabase({ dataDirectory, maxConnections: 1, queryTimeoutMs: 10_000, log: silentLog });
for (;;) {
  const { id } = await database.kysely
    .insertInto('outbox')
    .values({ topic: 'survival', payload: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow();
  process.stdout.write(`${id}\n`);
}
