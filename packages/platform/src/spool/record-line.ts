import { crc32 } from 'node:zlib';
import type { SpoolRecord, SpoolRecordKind } from '@portcullis/contracts/records';
import { hexOfByte } from './hex-of-byte.ts';
import { renderRow } from './record-row.ts';

/**
 * One record as a line of a segment file has it: `<crc32 of the rest, 8 hex digits> <kind> <UTC day> <row or JSON>`.
 * Kind and day stand in front so that draining never parses what follows: the database does.
 */
export interface RecordLine {
  readonly kind: SpoolRecordKind;
  /** UTC day of the record's timestamp, `YYYY-MM-DD`. */
  readonly day: string;
  /** A row where the record can be one, see {@link renderRow}; else its JSON. */
  readonly data: string;
}

export const toLine = (record: SpoolRecord): RecordLine => ({
  kind: record.kind,
  day: record.timestamp.slice(0, 10),
  data: renderRow(record) ?? renderJson(record),
});

/** The line, without its newline. */
export function renderLine(line: RecordLine): string {
  const start = findStart(line);
  return `${hexDigits(sumOf(line, start))} ${start.text}${line.data}`;
}

/** The checksum of a line. */
export const sumOf = ({ data }: RecordLine, { sum }: LineStart): number => crc32(data, sum);

/** What stands in front of the record, ASCII, with its checksum, from which that of the line goes on. */
interface LineStart {
  readonly day: string;
  readonly text: string;
  readonly sum: number;
}

/** The last one of each kind: the next record is of the same day. */
const starts = new Map<SpoolRecordKind, LineStart>();

export function findStart({ kind, day }: RecordLine): LineStart {
  const last = starts.get(kind);
  if (last?.day === day) return last;
  const text = `${kind} ${day} `;
  const start = { day, text, sum: crc32(text) };
  starts.set(kind, start);
  return start;
}

const hexDigits = (sum: number): string =>
  `${hexOfByte[sum >>> 24]}${hexOfByte[(sum >>> 16) & 255]}${hexOfByte[(sum >>> 8) & 255]}${hexOfByte[sum & 255]}`;

let lastDay = '';

/** Whether a database takes it for a day; most are the day that was asked about before. */
export function isDay(day: string): boolean {
  if (day === lastDay) return true;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) return false;
  lastDay = day;
  return true;
}

/** Undefined when the line is torn or damaged. Takes the line without its newline. */
export function parseLine(line: string): RecordLine | undefined {
  const rest = line.slice(9);
  if (line.slice(0, 9) !== `${hexDigits(crc32(rest))} `) return undefined;
  const [prefix, kind, day = ''] =
    /^(request_log|usage|usage_rough|usage_counted|alert|audit|canary_planted|canary_seen|guardrail_check|tool_call|tool_sighting) (\d{4}-\d{2}-\d{2}) /.exec(
      rest,
    ) ?? [''];
  if (!isDay(day)) return undefined;
  return { kind: kind as SpoolRecordKind, day, data: rest.slice(prefix.length) };
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
