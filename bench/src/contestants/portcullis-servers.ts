import { Client } from 'pg';
import { Absent, type Contestant, type Rig } from './contestant.ts';
import { openPortcullis } from './portcullis.ts';

export const portcullisServers: Contestant = {
  name: 'portcullis+servers',
  description: 'the same process on PostgreSQL and Redis, whose own CPU is not counted',
  open: async (rig) => openPortcullis(rig, 'portcullis-servers', await openServerStores(rig)),
};

/** Makes a database of its own, dropped at the end; answers the options that name it and Redis. */
export async function openServerStores(rig: Pick<Rig, 'defer'>): Promise<Readonly<Record<string, string>>> {
  const { BENCH_DATABASE_URL: serverUrl, BENCH_REDIS_URL: redisUrl } = process.env;
  if (serverUrl === undefined || redisUrl === undefined) {
    throw new Absent('BENCH_DATABASE_URL and BENCH_REDIS_URL name no servers that the run may use');
  }
  const database = `portcullis_bench_${process.pid}`;
  await query(serverUrl, `CREATE DATABASE ${database}`);
  rig.defer(() => query(serverUrl, `DROP DATABASE ${database} WITH (FORCE)`));
  const databaseUrl = new URL(serverUrl);
  databaseUrl.pathname = database;
  return { DATABASE_URL: databaseUrl.href, REDIS_URL: redisUrl };
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
