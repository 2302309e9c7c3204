import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { Secret } from '../../config/secret.ts';
import { openTcpRelay } from '../../../test/tcp-relay.ts';
import { createTestDatabase, silentLog } from '../../../test/test-database.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import { openDatabase } from './open-database.ts';

const open = (url: URL, connectTimeoutMs: number) =>
  openDatabase({
    url: new Secret(url.href),
    dataDirectory: '',
    maxConnections: 2,
    queryTimeoutMs: 60_000,
    connectTimeoutMs,
    log: silentLog,
  });

test('queries reject clearly while the server is away; queries and listeners recover by themselves', async () => {
  await using address = await createTestDatabase('server');
  const url = new URL(address.url?.reveal() ?? '');
  await using relay = await openTcpRelay(url.hostname, Number(url.port || 5432));
  url.host = `127.0.0.1:${relay.port}`;
  await using database = await open(url, 60_000);
  const heard: string[] = [];
  await database.listen('news', (payload) => heard.push(payload));

  const inFlight = database.kysely.transaction().execute(async (transaction) => {
    await sql`insert into settings (section, document) values ('lost', '{}')`.execute(transaction);
    await relay.cut();
    await sql`select 1`.execute(transaction);
  });
  await expect(inFlight).rejects.toThrow(DatabaseUnavailable);
  await expect(database.check()).rejects.toThrow(DatabaseUnavailable);
  const late = database.listen('late news', (payload) => heard.push(`late ${payload}`));

  await relay.restore();
  await database.check();
  await late;
  await waitFor(
    async () => {
      await sql`select pg_notify('news', 'back'), pg_notify('late news', 'back')`.execute(database.kysely);
      return heard.includes('back') && heard.includes('late back');
    },
    { what: 'news after the outage' },
  );
  expect(await database.kysely.selectFrom('settings').select('section').execute()).toEqual([]);
});

test('a server that takes connections and says nothing counts as away, and holds up no closing', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const database = await open(new URL(`postgres://nobody@127.0.0.1:${port}/nothing`), 100);
  const listening = database.listen('news', () => {});
  await expect(database.check()).rejects.toThrow(DatabaseUnavailable);
  await Promise.all([database[Symbol.asyncDispose](), expect(listening).rejects.toThrow('aborted')]);
  silent.close();
});
