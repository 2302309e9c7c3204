import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../database/database.ts';
import { lockFileOrThrow } from '../process/file-lock.ts';
import type { Logger } from '../log/logger.ts';
import { Drain } from './drain.ts';
import { fileOperations, type FileOperations } from './file-operations.ts';
import { FileSegment } from './file-segment.ts';
import { LocalSpool } from './local-spool.ts';
import { saveRejectedRecords, type RejectedRecord } from './rejected-records.ts';
import { createSaveRecords, type SaveRecords } from './save-records.ts';
import { SegmentList } from './segment-list.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { Spool } from './spool.ts';

export interface SpoolOptions {
  /** The spool's own folder, made when absent. */
  readonly directory: string;
  /** Bytes that may wait; over 80 % of it request logs are given up. */
  readonly maxBytes: number;
  readonly log: Logger;
  /** Bytes that may wait in memory while the disk refuses them. */
  readonly maxMemoryBytes?: number;
  /** A segment file that has grown to this is followed by a new one. */
  readonly segmentBytes?: number;
  /** Of what waits for the database, how many bytes are held in memory too, so that they are not read back. */
  readonly maxHeldBytes?: number;
  /** How often lines are handed to the disk itself, and a disk that refused is tried again. */
  readonly diskIntervalMs?: number;
  /** How long the first records of a batch wait for others. */
  readonly lingerMs?: number;
  /** How long closing waits for the database to take what is left. What it does not take stays on the disk. */
  readonly closeTimeoutMs?: number;
  /** Told of records that the database refuses for what they are, after they were set aside. */
  readonly onRejected?: (spool: Spool, records: readonly RejectedRecord[]) => void;
  /** For tests that make the disk fail. */
  readonly files?: FileOperations;
}

const mebibyte = 1 << 20;
const defaults = {
  maxMemoryBytes: 16 * mebibyte,
  segmentBytes: 8 * mebibyte,
  maxHeldBytes: 4 * mebibyte,
  diskIntervalMs: 1_000,
  lingerMs: 50,
  closeTimeoutMs: 2_000,
  files: fileOperations,
};

/**
 * Opens a spool on a folder and drains it into the database, first of all what a former process left.
 * @throws {FileLocked} when another process has the folder
 */
export const openSpool = ({ database, ...options }: SpoolOptions & { readonly database: Database }): Promise<Spool> =>
  openSpoolInto(createSaveRecords(database), options);

/** The same for any way of saving records, which must be atomic and ignore records it has already. */
export async function openSpoolInto(save: SaveRecords, given: SpoolOptions): Promise<Spool> {
  const options = { ...defaults, ...given };
  const { directory, files, lingerMs, log } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await using opened = new AsyncDisposableStack();
  opened.use(lockFileOrThrow(join(directory, 'lock')));

  const { segments, lastNumber } = await findSegments(directory, files);
  opened.defer(() => segments.close());
  const writer = new SegmentWriter(options, segments, lastNumber);
  const setAside = async (records: readonly RejectedRecord[]): Promise<void> => {
    await saveRejectedRecords(options, records);
    if (records.length > 0) options.onRejected?.(spool, records);
  };
  const drain = new Drain({ segments, save, setAside, log, lingerMs });
  const spool: Spool = new LocalSpool({ ...options, segments, writer, drain, resources: opened.move() });
  return spool;
}

async function findSegments(directory: string, files: FileOperations) {
  const names = (await readdir(directory)).filter((name) => /^\d+\.jsonl$/.test(name)).sort();
  const segments = new SegmentList();
  for (const name of names) segments.add(await FileSegment.find(join(directory, name), files));
  await segments.sweep();
  return { segments, lastNumber: Number.parseInt(names.at(-1) ?? '0', 10) };
}
