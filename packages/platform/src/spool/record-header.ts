import { crc32 } from 'node:zlib';
import type { SpoolRecordKind } from '@portcullis/contracts/records';

/** Hexadecimal digits of a line's checksum. */
const sumDigits = 8;
/** What the checksum is of begins behind it and a space. */
export const sumBytes = sumDigits + 1;

/** What stands in a line in front of the record. Most lines begin as one before them. */
export interface RecordHeader {
  readonly kind: SpoolRecordKind;
  /** UTC day of the record's timestamp, `YYYY-MM-DD`, if {@link RecordHeader.hasDay}. */
  readonly day: string;
  /** Whether a database takes it for a day. */
  readonly hasDay: boolean;
  /** `<checksum> <kind> <day> ` in ASCII, zeros for the checksum. */
  readonly bytes: Uint8Array;
  /** The checksum of what stands behind the checksum, from which that of the line goes on. */
  readonly sum: number;
}

/** The last one of each kind. */
const starts = new Map<SpoolRecordKind, RecordHeader>();

export function findStart(kind: SpoolRecordKind, timestamp: string): RecordHeader {
  const last = starts.get(kind);
  return last?.hasDay === true && timestamp.startsWith(last.day) ? last : createStart(kind, timestamp.slice(0, 10));
}

function createStart(kind: SpoolRecordKind, day: string): RecordHeader {
  const text = `${kind} ${day} `;
  const bytes = Buffer.from(`${'0'.repeat(sumDigits)} ${text}`);
  const start = { kind, day, hasDay: isDay(day), bytes, sum: crc32(text) };
  starts.set(kind, start);
  return start;
}

const isDay = (day: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));

/** No start is longer. */
const mostBytes = 50;

/** That of the line at a place, which ends at `end`; undefined when it has none. Says nothing of its checksum. */
export function readStart(lines: Buffer, at: number, end: number): RecordHeader | undefined {
  for (const start of starts.values()) if (start.hasDay && isAt(lines, at, start)) return start;
  const text = lines.toString('latin1', at + sumBytes, Math.min(end, at + mostBytes));
  const [, kind, day = ''] =
    /^(request_log|usage|usage_rough|usage_counted|alert|audit|canary_planted|canary_seen|guardrail_check|tool_call|tool_sighting|agent_invocation|agent_task|trace_content) (\d{4}-\d{2}-\d{2}) /.exec(
      text,
    ) ?? [];
  if (kind === undefined || !isDay(day)) return undefined;
  return createStart(kind as SpoolRecordKind, day);
}

function isAt(lines: Buffer, at: number, { bytes }: RecordHeader): boolean {
  for (let index = sumBytes; index < bytes.length; index += 1) {
    if (lines[at + index] !== bytes[index]) return false;
  }
  return true;
}
