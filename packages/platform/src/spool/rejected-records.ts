import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemText } from '../lifecycle/problem.ts';
import type { Logger } from '../log/logger.ts';

/** A record that can never be saved, as its line in the segment, and why. */
export interface RejectedRecord {
  readonly reason: string;
  readonly line: string;
}

/** Sets records aside in `rejected.jsonl` of the folder, for a person to look at. Never throws. */
export async function setRecordsAside(
  directory: string,
  records: readonly RejectedRecord[],
  log: Logger,
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
    const lines = records.map((record) => `${JSON.stringify({ time, ...record })}\n`);
    await appendFile(path, lines.join(''), { mode: 0o600 });
  } catch (error) {
    log.error('Refused records could not be set aside and are lost', { path, reason: problemText(error) });
  }
}
