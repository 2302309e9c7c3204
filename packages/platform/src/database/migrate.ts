import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { problemText } from '../lifecycle/problem.ts';
import type { Database } from './database.ts';

const migrationsFolder = join(import.meta.dirname, 'migrations');

/**
 * Brings the database to the newest schema and answers the names of the migrations it ran. All of
 * them run in one transaction and under a lock, so several processes may do this at once.
 *
 * A migration is a numbered `.sql` file that is never changed after it was released. It may hold
 * several statements, each within the query timeout.
 */
export async function migrate(database: Database, folder = migrationsFolder): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: database.kysely,
    migrationTableSchema: 'public',
    provider: { getMigrations: () => loadMigrations(folder) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName ?? 'to the newest schema';
    throw new Error(`The database cannot be migrated (${failed}): ${problemText(error)}`, { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}

async function loadMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'));
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, file), 'utf8');
    return [file.replace(/\.sql$/, ''), { up: async (kysely) => void (await sql.raw(text).execute(kysely)) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}
