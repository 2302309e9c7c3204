import { newline, type RecordLine } from './record-line.ts';
import { batchLimit, type Batch } from './segment.ts';

/**
 * The first of the lines that stand in `bytes`, as many as a batch takes; a part of one at the end is left.
 * @param parse answers undefined for a line that is damaged
 */
export function takeLines(
  bytes: Buffer,
  parse: (bytes: Buffer, at: number, end: number) => RecordLine | undefined,
): Batch {
  const records: RecordLine[] = [];
  const damaged: string[] = [];
  let at = 0;
  while (records.length + damaged.length < batchLimit.maxRecords) {
    const end = bytes.indexOf(newline, at);
    if (end === -1 || (at > 0 && end >= batchLimit.maxBytes)) break;
    const record = parse(bytes, at, end);
    if (record === undefined) damaged.push(bytes.toString('utf8', at, end));
    else records.push(record);
    at = end + 1;
  }
  return { records, damaged, bytes: at };
}
