import { crc32 } from 'node:zlib';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { findStart } from './record-header.ts';
import { newline, renderJson } from './record-line.ts';
import { writeRow } from './record-row.ts';
import { RowWriter } from './row-writer.ts';

/** The records of a turn as the lines that are written, put together where they will be written from. */
export class BatchEncoder {
  readonly #lines = new RowWriter();
  /** Of whole lines; there is more when a record could not be rendered. */
  length = 0;
  records = 0;

  /** Those of all records since `clear`, valid until the next is added. */
  get bytes(): Uint8Array {
    return this.#lines.slice(0, this.length);
  }

  add(record: SpoolRecord): void {
    const lines = this.#lines;
    const at = this.length;
    lines.backTo(at);
    const start = findStart(record.kind, record.timestamp);
    lines.copy(start.bytes);
    const dataAt = lines.length;
    if (!writeRow(record, Date.parse(record.timestamp), lines)) {
      lines.backTo(dataAt);
      lines.utf8(renderJson(record));
    }
    lines.hexDigitsAt(at, crc32(lines.slice(dataAt, lines.length), start.sum));
    lines.byte(newline);
    this.length = lines.length;
    this.records += 1;
  }

  clear(): void {
    this.#lines.clear();
    this.length = 0;
    this.records = 0;
  }
}
