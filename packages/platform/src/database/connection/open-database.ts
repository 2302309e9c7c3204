import type { Database } from '../database.ts';
import type { DatabaseOptions } from './database-options.ts';
import { openEmbeddedDatabase } from './open-embedded-database.ts';
import { openServerDatabase } from './open-server-database.ts';

/**
 * Opens the database. Both back ends are spoken to by the same driver, so types, errors and
 * parameters are the same. Queries reject with `DatabaseUnavailable` while it is out of reach, and
 * pass again by themselves when it is back.
 *
 * With a server this resolves at once, also while the server is away; the embedded one has started
 * when it resolves. Inside a transaction use the transaction's handle only: the embedded database
 * has a single session, so another query would wait for the transaction it is part of.
 * @throws when another process has the embedded database open, or its files are broken
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> =>
  options.url === undefined ? openEmbeddedDatabase(options) : openServerDatabase(options, options.url);
