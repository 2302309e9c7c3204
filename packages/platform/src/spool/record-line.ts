import { crc32 } from 'node:zlib';
import type { SpoolRecord, SpoolRecordKind } from '@portcullis/contracts/records';

/**
 * One record as a line of a segment file: `<crc32 of the rest, 8 hex digits> <kind> <UTC day> <JSON>`.
 * Kind and day stand in front so that draining never parses the JSON: the database does.
 */
export interface RecordLine {
  readonly kind: SpoolRecordKind;
  /** UTC day of the record's timestamp, `YYYY-MM-DD`. */
  readonly day: string;
  readonly json: string;
  /** The whole line, without its newline. */
  readonly line: string;
}

/** The line, ending with a newline. */
export function renderLine(record: SpoolRecord): string {
  const rest = `${record.kind} ${record.timestamp.slice(0, 10)} ${renderJson(record)}`;
  return `${checksum(rest)} ${rest}\n`;
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Undefined when the line is torn or damaged. Takes the line without its newline. */
export function parseLine(line: string): RecordLine | undefined {
  const rest = line.slice(9);
  if (line.slice(0, 9) !== `${checksum(rest)} `) return undefined;
  const [prefix, kind, day = ''] =
    /^(request_log|usage|usage_rough|usage_counted|alert|audit|canary_planted|canary_seen|guardrail_check|tool_call|tool_sighting) (\d{4}-\d{2}-\d{2}) /.exec(
      rest,
    ) ?? [''];
  if (Number.isNaN(Date.parse(day))) return undefined;
  return { kind: kind as SpoolRecordKind, day, json: rest.slice(prefix.length), line };
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
