/**
 * Appends request logs of one API key for ever and prints the event id of each one as soon as the
 * spool has called it written. Parameters: data directory, id of the key, database URL if any.
 */
import { join } from 'node:path';
import { Secret } from '../../src/config/secret.ts';
import { openDatabase } from '../../src/database/connection/open-database.ts';
import { openSpool } from '../../src/spool/open-spool.ts';
import { silentLog } from '../test-database.ts';
import { sampleAlert, sampleRequestLog } from './sample-records.ts';

const [dataDirectory = '', keyId = '', url] = process.argv.slice(2);
const database = await openDatabase({
  url: url === undefined ? undefined : new Secret(url),
  dataDirectory,
  maxConnections: 2,
  queryTimeoutMs: 10_000,
  log: silentLog,
});
const directory = join(dataDirectory, 'spool');
const spool = await openSpool({
  directory,
  database,
  maxBytes: 1e9,
  segmentBytes: 20_000,
  lingerMs: 5,
  log: silentLog,
});
setInterval(() => {
  const records = [sampleRequestLog({ api_key_id: Number(keyId) }), sampleAlert()];
  spool.append(records, () => records.forEach(({ event_id }) => process.stdout.write(`${event_id}\n`)));
}, 1);
