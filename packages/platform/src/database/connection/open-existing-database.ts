import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { createLogger } from '../../log/logger.ts';
import type { Database } from '../database.ts';
import { openDatabase } from './open-database.ts';

/**
 * Opens the gateway's database for a command beside it: that of DATABASE_URL, or the embedded one while no gateway runs
 * on it.
 * @throws when there is none, {FileLocked} when a gateway has it
 */
export async function openExistingDatabase(config: Config): Promise<Database> {
  const dataDirectory = resolve(config.DATA_DIR);
  if (config.DATABASE_URL === undefined && !existsSync(join(dataDirectory, 'database'))) {
    throw new Error(`there is no database in ${dataDirectory}; set DATABASE_URL or DATA_DIR`);
  }
  return openDatabase({
    url: config.DATABASE_URL,
    dataDirectory,
    maxConnections: 1,
    queryTimeoutMs: config.DB_QUERY_TIMEOUT,
    log: createLogger({ LOG_LEVEL: 'error', LOG_FORMAT: config.LOG_FORMAT }),
  });
}
