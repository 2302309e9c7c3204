import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { problemCode, problemText } from '../errors/problem.ts';
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
  if (await isNewest(database, folder)) return [];
  const migrator = new Migrator({
    db: database.kysely,
    migrationTableSchema: 'public',
    // Work that is done side by side lands in another order than its numbers.
    allowUnorderedMigrations: true,
    provider: { getMigrations: () => loadMigrations(folder) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw failedAt(results.find(({ status }) => status === 'Error')?.migrationName ?? newest, error);
  }
  return results.map(({ migrationName }) => migrationName);
}

const newest = 'to the newest schema';
const failedAt = (step: string, error: unknown): Error =>
  new Error(`The database cannot be migrated (${step}): ${problemText(error)}`, { cause: error });

const undefinedTable = '42P01';

/** In one statement: what the migrator does to find out takes a start on the embedded database half a second. */
async function isNewest({ kysely }: Database, folder: string): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from public.kysely_migration`.execute(kysely);
    const done = new Set(rows.map(({ name }) => name));
    return done.symmetricDifference(new Set(await listMigrations(folder))).size === 0;
  } catch (error) {
    if (problemCode(error) === undefinedTable) return false;
    throw failedAt(newest, error);
  }
}

const listMigrations = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -'.sql'.length));

async function loadMigrations(folder: string): Promise<Record<string, Migration>> {
  const entries = (await listMigrations(folder)).map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, `${name}.sql`), 'utf8');
    return [name, { up: async (kysely) => void (await sql.raw(text).execute(kysely)) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}
