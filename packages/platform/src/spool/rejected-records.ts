import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';

/** A record that can never be saved, as its line in the segment, and why. */
export interface RejectedRecord {
  readonly reason: string;
  readonly line: string;
}

export interface RejectedFile {
  /** The spool's folder. */
  readonly directory: string;
  /** Bytes that the file may grow to. */
  readonly maxBytes: number;
  readonly log: Logger;
}

/**
 * Sets records aside in `rejected.jsonl` of the folder, for a person to look at; those for which there is no room
 * are named in the log as lost. Never throws.
 */
export async function saveRejectedRecords(
  { directory, maxBytes, log }: RejectedFile,
  records: readonly RejectedRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const path = join(directory, 'rejected.jsonl');
  const time = new Date().toISOString();
  log.error('Records that the database refuses were set aside', {
    path,
    records: records.length,
    reason: records[0]?.reason,
  });
  try {
    const lines = records.map((record) => `${JSON.stringify({ time, ...record })}\n`).join('');
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    if (size + Buffer.byteLength(lines) > maxBytes) throw new Error(`it would grow beyond ${maxBytes} bytes`);
    await appendFile(path, lines, { mode: 0o600 });
  } catch (error) {
    log.error('Refused records could not be set aside and are lost', {
      path,
      records: records.length,
      reason: problemText(error),
    });
  }
}
