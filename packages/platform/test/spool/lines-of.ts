import type { SpoolRecord } from '@portcullis/contracts/records';
import { readLine, type RecordLine } from '../../src/spool/record-line.ts';
import { takeLines } from '../../src/spool/take-lines.ts';
import { BatchEncoder } from '../../src/spool/batch-encoder.ts';

/** The records, at most as many as a batch takes, as they come out of a spool. */
export function linesOf(records: readonly SpoolRecord[]): readonly RecordLine[] {
  const turn = new BatchEncoder();
  for (const record of records) turn.add(record);
  return takeLines(Buffer.from(turn.bytes), readLine).records;
}
