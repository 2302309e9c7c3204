/**
 * Disposable databases for tests, with the newest schema. The schema is made once per machine, in
 * a template; a test file then gets a copy, which costs a fraction of a second on either back end.
 */
import { createHash, randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createLogger } from 'winston';
import { Secret } from '../src/config/secret.ts';
import type { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import type { DatabaseOptions } from '../src/database/connection/database-options.ts';
import { openDatabase } from '../src/database/connection/open-database.ts';

export const databaseKinds = ['server', 'embedded'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** Whether every row of the matrices of stores and ways to run is wanted, as at night. */
export const isFullRun = process.env['TEST_MATRIX'] === 'full';

/**
 * The stores that the tests of a service run on. Both take the same SQL, and this package shows that of both kinds in every
 * run; so a usual run takes PostgreSQL, a full one both.
 */
export const stores: readonly DatabaseKind[] = isFullRun ? databaseKinds : ['server'];

/** An address that `openDatabase` takes; disposing removes the database behind it. */
export interface TestDatabaseAddress extends AsyncDisposable {
  readonly url: Secret | undefined;
  readonly dataDirectory: string;
}

export const silentLog = createLogger({ silent: true });

/** What `openDatabase` needs beside the address. */
const defaults = { maxConnections: 5, queryTimeoutMs: 60_000, log: silentLog };

/** A fresh database with the newest schema, opened. */
export async function openTestDatabase(
  kind: DatabaseKind,
  options: Partial<DatabaseOptions> = {},
): Promise<Database & { readonly address: TestDatabaseAddress }> {
  await using opened = new AsyncDisposableStack();
  const address = opened.use(await createTestDatabase(kind));
  const database = opened.use(await openDatabase({ ...defaults, ...address, ...options }));
  const resources = opened.move();
  return { ...database, address, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Read by the profile of a run, which counts them. */
const made = channel('portcullis:test-database');

/** A fresh database with the newest schema, for a test that opens it itself or hands it to a process. */
export function createTestDatabase(kind: DatabaseKind): Promise<TestDatabaseAddress> {
  made.publish({ kind });
  return kind === 'server' ? cloneOnServer() : copyEmbedded();
}

/** A fresh database without any schema. */
export async function createEmptyDatabase(kind: DatabaseKind): Promise<TestDatabaseAddress> {
  if (kind === 'embedded') return temporaryFolder();
  const name = `portcullis_test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin((admin) => admin.query(`create database ${name}`));
  return serverAddress(name);
}

function testServerUrl(database?: string): URL {
  const given = process.env['TEST_DATABASE_URL'];
  if (given === undefined) throw new Error('TEST_DATABASE_URL is not set; `npm test` brings a server and sets it');
  const url = new URL(given);
  if (database !== undefined) url.pathname = `/${database}`;
  return url;
}

async function asAdmin<Answer>(work: (admin: Client) => Promise<Answer>): Promise<Answer> {
  const admin = new Client({ connectionString: testServerUrl().href });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function serverAddress(name: string): Promise<TestDatabaseAddress> {
  return {
    url: new Secret(testServerUrl(name).href),
    dataDirectory: tmpdir(),
    [Symbol.asyncDispose]: async () =>
      void (await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`))),
  };
}

async function cloneOnServer(): Promise<TestDatabaseAddress> {
  const template = `portcullis_template_${await schemaHash()}`;
  const name = `portcullis_test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(async (admin) => {
    await admin.query('select pg_advisory_lock(7261002)');
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(admin, template);
    await admin.query(`create database ${name} template ${template}`);
  });
  return serverAddress(name);
}

/** Made under another name, so that an interrupted run never leaves half a template. */
async function makeTemplate(admin: Client, template: string): Promise<void> {
  await using draft = await createEmptyDatabase('server');
  await migrateAt(draft);
  const name = new URL(draft.url?.reveal() ?? '').pathname.slice(1);
  await admin.query(`alter database ${name} rename to ${template}`);
}

async function copyEmbedded(): Promise<TestDatabaseAddress> {
  const template = join(tmpdir(), `portcullis-template-${await schemaHash()}`);
  if ((await stat(template).catch(() => undefined)) === undefined) await makeEmbeddedTemplate(template);
  const address = await temporaryFolder();
  await cp(template, address.dataDirectory, { recursive: true });
  return address;
}

async function makeEmbeddedTemplate(template: string): Promise<void> {
  await using draft = await temporaryFolder();
  await migrateAt(draft);
  // Several test processes may come here at once; all drafts are alike and the first one stays.
  await rename(draft.dataDirectory, template).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

async function temporaryFolder(): Promise<TestDatabaseAddress> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portcullis-test-'));
  const remove = () => rm(dataDirectory, { recursive: true, force: true });
  return { url: undefined, dataDirectory, [Symbol.asyncDispose]: remove };
}

async function migrateAt(address: TestDatabaseAddress): Promise<void> {
  await using database = await openDatabase({ ...defaults, ...address });
  await migrate(database);
}

async function schemaHash(): Promise<string> {
  const folder = join(import.meta.dirname, '../src/database/migrations');
  const hash = createHash('sha256').update(await readFile(join(import.meta.dirname, '../package.json')));
  for (const file of (await readdir(folder)).sort()) hash.update(file).update(await readFile(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}
