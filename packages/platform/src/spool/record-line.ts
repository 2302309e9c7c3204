import { crc32 } from 'node:zlib';
import type { SpoolRecord, SpoolRecordKind } from '@portcullis/contracts/records';
import { readStart, sumBytes, type RecordHeader } from './record-header.ts';
import { opening, secondForm } from './row-codes.ts';

export const newline = 10;

/** How the database reads what a line has: as JSON, or as a row of a type of the first or the second generation. */
export type RecordForm = 'object' | 'row' | 'row_2';

/**
 * One record as a line of a segment has it: `<crc32 of the rest, 8 hex digits> <kind> <UTC day> <row or JSON>`, UTF-8.
 * Kind and day stand in front so that draining never parses what follows: the database does.
 */
export class RecordLine {
  readonly #start: RecordHeader;
  /** In which the line stands. */
  readonly bytes: Buffer;
  readonly #at: number;
  /** Where its newline is. */
  readonly end: number;

  constructor(start: RecordHeader, bytes: Buffer, at: number, end: number) {
    this.#start = start;
    this.bytes = bytes;
    this.#at = at;
    this.end = end;
  }

  get kind(): SpoolRecordKind {
    return this.#start.kind;
  }

  /** UTC day of the record's timestamp, `YYYY-MM-DD`. */
  get day(): string {
    return this.#start.day;
  }

  /** Where the row or JSON begins. */
  get dataAt(): number {
    return this.#at + this.#start.bytes.length;
  }

  /** Rows are as {@link writeRow} writes them, or wrote them before. */
  get form(): RecordForm {
    const first = this.bytes[this.dataAt];
    if (first === secondForm) return 'row_2';
    return first === opening ? 'row' : 'object';
  }

  /** The row or JSON. */
  get data(): string {
    return this.bytes.toString('utf8', this.dataAt + (this.form === 'row_2' ? 1 : 0), this.end);
  }

  /** All of the line, without its newline. */
  get text(): string {
    return this.bytes.toString('utf8', this.#at, this.end);
  }
}

/** The line from one place to its newline; undefined when it is torn or damaged, or no record's. */
export function parseLine(bytes: Buffer, at: number, end: number): RecordLine | undefined {
  return hasItsSum(bytes, at, end) ? readLine(bytes, at, end) : undefined;
}

/** The same of a line that was never away. */
export function readLine(bytes: Buffer, at: number, end: number): RecordLine | undefined {
  const start = readStart(bytes, at, end);
  return start && new RecordLine(start, bytes, at, end);
}

function hasItsSum(bytes: Buffer, at: number, end: number): boolean {
  const rest = at + sumBytes;
  if (rest > end) return false;
  const sum = crc32(bytes.subarray(rest, end))
    .toString(16)
    .padStart(sumBytes - 1, '0');
  return bytes.toString('latin1', at, rest) === `${sum} `;
}

/**
 * PostgreSQL stores neither NUL nor half of a surrogate pair, and both can come from a client in the
 * evidence of an alert. They are replaced, or an attacker could make alerts that are refused.
 */
export const renderJson = (record: SpoolRecord): string => renderStorable(record);

/** Any other value, as PostgreSQL stores it. */
export function renderStorable(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes('\\u') ? JSON.stringify(storable(value)) : json;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]));
}

const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
