import { access, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sampleAlert, sampleRequestLog, sampleUsage } from '../../test/spool/sample-records.ts';
import { RecordStore } from '../../test/spool/record-store.ts';
import { silentLog } from '../../test/test-database.ts';
import { FileLocked } from '../process/file-lock.ts';
import { fileOperations, type FileOperations } from './file-operations.ts';
import { openSpoolInto, type SpoolOptions } from './open-spool.ts';
import type { Spool } from './spool.ts';

let directory: string;
let store: RecordStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portcullis-spool-'));
  store = new RecordStore();
});
afterEach(async () => rm(directory, { recursive: true }));

const impatient = { maxBytes: 1e9, diskIntervalMs: 5, lingerMs: 0, closeTimeoutMs: 10, log: silentLog };
const open = (options: Partial<SpoolOptions> = {}) =>
  openSpoolInto(store.save, { ...impatient, directory, ...options });
const append = (spool: Spool, records: readonly SpoolRecord[]) =>
  new Promise<void>((resolve) => spool.append(records, resolve));
const ids = (records: readonly SpoolRecord[]) => records.map(({ event_id }) => event_id);
const segmentNames = async () => (await readdir(directory)).filter((name) => /^\d+\.jsonl$/.test(name));

describe('appending', () => {
  test('writes all records of one turn in one piece at its end, then calls back in order', async () => {
    const writes: string[] = [];
    const files: FileOperations = {
      ...fileOperations,
      write: (fd, bytes) => {
        writes.push(Buffer.from(bytes).toString());
        return fileOperations.write(fd, bytes);
      },
    };
    await using spool = await open({ files });
    const called: string[] = [];
    spool.append([sampleUsage()], () => called.push(`first after ${writes.length}`));
    spool.append([], () => called.push(`second after ${writes.length}`));
    await append(spool, [sampleAlert(), sampleRequestLog()]);
    expect(called).toEqual(['first after 1', 'second after 1']);
    expect(writes[0]?.split('\n')).toHaveLength(4);
  });

  test('a callback that throws keeps no other from being called', async () => {
    await using spool = await open();
    spool.append([], () => {
      throw new Error('no');
    });
    await expect(append(spool, [])).resolves.toBeUndefined();
  });
});

test('a record that cannot be rendered is lost, is told of, and costs no other', async () => {
  await using spool = await open();
  const unspeakable = sampleAlert({ raw_data: { value: 1n } });
  spool.append([unspeakable]);
  await spool.drained(5_000);
  spool.append([sampleAlert(), unspeakable, sampleUsage()]);
  await spool.drained(5_000);
  expect(store.records.map(({ kind }) => kind)).toEqual(['alert', 'usage']);
  expect(spool.state()).toMatchObject({ lostRecords: 2, pendingRecords: 0, rejectedRecords: 0 });
});

describe('draining', () => {
  test('saves in the order of appending and leaves nothing behind', async () => {
    const records = Array.from({ length: 2_500 }, () => sampleUsage());
    await using spool = await open({ segmentBytes: 100_000 });
    for (const record of records) await append(spool, [record]);
    await spool.drained(60_000);
    expect(store.ids).toEqual(ids(records));
    expect(store.largestBatch).toBeLessThanOrEqual(2_000);
    expect(spool.state()).toMatchObject({ status: 'healthy', reason: null, pendingRecords: 0, pendingBytes: 0 });
    await spool[Symbol.asyncDispose]();
    expect(await segmentNames()).toEqual([]);
  });

  test('keeps the order when it falls behind and reads back what it did not hold', async () => {
    const records = Array.from({ length: 600 }, () => sampleUsage());
    store.fault = new Error('away');
    await using spool = await open({ maxHeldBytes: 20_000 });
    for (const record of records.slice(0, 300)) await append(spool, [record]);
    store.fault = undefined;
    for (const record of records.slice(300)) await append(spool, [record]);
    await spool.drained(60_000);
    expect(store.ids).toEqual(ids(records));
    expect(spool.state()).toMatchObject({ status: 'healthy', pendingBytes: 0, rejectedRecords: 0 });
  });

  test('waits while the database is away and says so', async () => {
    store.fault = new Error('away');
    await using spool = await open();
    await append(spool, [sampleAlert()]);
    await waitFor(() => spool.state().reason === 'the database takes no records: away', { what: 'the reason' });
    await expect(spool.drained(10)).rejects.toThrow('1 records are not in the database after 10 ms');
    store.fault = undefined;
    await spool.drained(60_000);
    expect(store.ids).toHaveLength(1);
    expect(spool.state()).toMatchObject({ status: 'healthy', pendingRecords: 0 });
  });

  test('sets a record aside that the database refuses, with the reason, and saves all others', async () => {
    const records = Array.from({ length: 500 }, () => sampleUsage());
    const refused = [records[0], records[123], records[499]].flatMap((record) => record?.event_id ?? []);
    store.refused = new Set(refused);
    await using spool = await open();
    await append(spool, records);
    await spool.drained(60_000);
    expect(store.ids).toEqual(ids(records).filter((id) => !refused.includes(id)));
    expect(spool.state()).toMatchObject({ status: 'healthy', rejectedRecords: 3 });
    const lines = (await readFile(join(directory, 'rejected.jsonl'), 'utf8')).trim().split('\n');
    const rejected = lines.map((line) => JSON.parse(line) as { reason: string; line: string });
    expect(rejected.map(({ reason }) => reason)).toEqual(refused.map((id) => `refused ${id}`));
    expect(rejected[1]?.line).toContain(refused[1]);
  });

  test('sets a damaged line aside and saves all others', async () => {
    store.fault = new Error('away');
    const first = await open();
    await append(first, [sampleUsage(), sampleUsage({ model: 'bent' }), sampleUsage()]);
    await first[Symbol.asyncDispose]();
    const [name = ''] = await segmentNames();
    const text = await readFile(join(directory, name), 'utf8');
    await writeFile(join(directory, name), text.replace('bent', 'benT'));

    store.fault = undefined;
    await using second = await open();
    await second.drained(60_000);
    expect(store.ids).toHaveLength(2);
    expect(second.state().rejectedRecords).toBe(1);
    expect(await readFile(join(directory, 'rejected.jsonl'), 'utf8')).toContain('the line is damaged');
  });

  test('sets a segment aside that cannot be read, and goes on with the next', async () => {
    store.fault = new Error('away');
    await using spool = await open({ segmentBytes: 1, maxHeldBytes: 0 });
    await append(spool, [sampleUsage({ model: 'gone' }), sampleUsage({ model: 'gone' })]);
    await append(spool, [sampleUsage({ model: 'kept' })]);
    const [name = ''] = await segmentNames();
    await writeFile(join(directory, name), '');
    store.fault = undefined;
    await spool.drained(60_000);
    expect(store.records.map((record) => record['model'])).toEqual(['kept']);
    expect(spool.state().rejectedRecords).toBe(2);
    await access(join(directory, `${name}.unreadable`));
  });
});

describe('the quota', () => {
  test('gives up request logs first, and never alerts or usage', async () => {
    store.fault = new Error('away');
    await using spool = await open({ maxBytes: 20_000 });
    for (let count = 0; count < 100; count += 1) {
      await append(spool, [sampleRequestLog(), sampleUsage(), sampleAlert()]);
    }
    const { status, reason, pendingRecords, shedRecords } = spool.state();
    expect({ status, reason }).toMatchObject({
      status: 'degraded',
      reason: expect.stringContaining('the quota is used up, request logs are given up'),
    });
    expect(shedRecords).toBeGreaterThan(50);
    expect(pendingRecords + shedRecords).toBe(300);
    store.fault = undefined;
    await spool.drained(60_000);
    const kinds = Map.groupBy(store.records, ({ kind }) => kind);
    expect(kinds.get('alert')).toHaveLength(100);
    expect(kinds.get('usage')).toHaveLength(100);
    expect(kinds.get('request_log')).toHaveLength(100 - shedRecords);
    expect(spool.state().status).toBe('healthy');
  });
});

describe('a disk that refuses', () => {
  /** Real files on a disk that can be made to fail, also in the middle of a write. */
  const failingDisk = () => {
    const disk = { fault: undefined as Error | undefined, halfWrites: false, attempts: 0 };
    const files: FileOperations = {
      ...fileOperations,
      write: (fd, bytes) => {
        if (disk.fault === undefined) return fileOperations.write(fd, bytes);
        disk.attempts += 1;
        if (disk.halfWrites) fileOperations.write(fd, bytes.subarray(0, bytes.length / 2));
        throw disk.fault;
      },
    };
    return { disk, files };
  };
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

  test.each([false, true])(
    'costs no record, neither as it fails nor as it heals (half writes: %s)',
    async (halfWrites) => {
      const { disk, files } = failingDisk();
      disk.halfWrites = halfWrites;
      await using spool = await open({ files });
      const before = [sampleUsage(), sampleUsage()];
      const during = [sampleUsage(), sampleAlert(), sampleRequestLog()];
      const after = [sampleUsage()];
      await append(spool, before);
      store.fault = new Error('away');
      disk.fault = full;
      for (const record of during) await append(spool, [record]);
      expect(spool.state()).toMatchObject({
        status: 'degraded',
        reason: expect.stringContaining('the disk refuses records, they are kept in memory: ENOSPC'),
      });

      disk.fault = undefined;
      await waitFor(() => !spool.state().reason?.includes('disk'), { what: 'the disk to heal' });
      await append(spool, after);
      await spool[Symbol.asyncDispose]();
      store.fault = undefined;
      await using next = await open();
      await next.drained(60_000);
      expect(store.ids).toEqual(ids([...before, ...during, ...after]));
    },
  );

  test('keeps records moving into the database from memory', async () => {
    const { disk, files } = failingDisk();
    disk.fault = full;
    await using spool = await open({ files });
    const records = [sampleUsage(), sampleAlert()];
    await append(spool, records);
    await spool.drained(60_000);
    expect(store.ids).toEqual(ids(records));
    await waitFor(() => disk.attempts > 3, { what: 'more attempts to write' });
    expect(spool.state()).toMatchObject({ status: 'degraded', pendingRecords: 0 });
    disk.fault = undefined;
    await waitFor(() => spool.state().status === 'healthy', { what: 'the disk to heal without traffic' });
  });

  test('bounds what waits in memory', async () => {
    const { disk, files } = failingDisk();
    disk.fault = full;
    store.fault = new Error('away');
    await using spool = await open({ files, maxMemoryBytes: 10_000 });
    for (let count = 0; count < 100; count += 1) await append(spool, [sampleRequestLog(), sampleAlert()]);
    const { pendingBytes, pendingRecords, shedRecords, lostRecords } = spool.state();
    expect(pendingBytes).toBeLessThan(12_000);
    expect(pendingRecords + shedRecords + lostRecords).toBe(200);
    expect(shedRecords).toBeGreaterThan(lostRecords);
    store.fault = undefined;
    await spool.drained(60_000);
  });

  test('is noticed on a real full device too', async () => {
    await using spool = await open();
    await symlink('/dev/full', join(directory, '000000000001.jsonl'));
    store.fault = new Error('away');
    await append(spool, [sampleAlert()]);
    expect(spool.state().reason).toContain('ENOSPC');
    store.fault = undefined;
    await spool.drained(60_000);
    await waitFor(() => spool.state().status === 'healthy', { what: 'the next file to be taken' });
    expect(store.ids).toHaveLength(1);
  });
});

test('two spools never share a folder', async () => {
  await using first = await open();
  await expect(open()).rejects.toThrow(FileLocked);
  await first[Symbol.asyncDispose]();
  await using second = await open();
  expect(second.state().status).toBe('healthy');
});
