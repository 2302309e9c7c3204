const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** One event as it stood on the wire, its blank line included, and its joined `data` lines. */
export interface SseEvent {
  readonly bytes: Buffer;
  /** Undefined for comments and events without data. */
  readonly data: string | undefined;
  /** All its other lines, such as its name; undefined without any. */
  readonly lines: string | undefined;
}

/** Cuts a byte stream into server-sent events, however the bytes arrive. */
export interface SseFramer {
  /** @throws {EventTooLarge} when an event grows beyond the bound, or has too many lines */
  push(chunk: Buffer): readonly SseEvent[];
  /** What is left when the stream ends without a blank line. */
  end(): SseEvent | undefined;
}

export class EventTooLarge extends Error {
  constructor(bound: string) {
    super(`An event of the stream is larger than ${bound}`);
    this.name = 'EventTooLarge';
  }
}

const noEvents: readonly SseEvent[] = Object.freeze([]);

export function createSseFramer(maxEventBytes: number): SseFramer {
  /** An event that has begun, as its chunks came: a large one is put together once, when it ends. */
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let tail: Buffer = none;
  let isBegun = false;

  const keep = (bytes: Buffer): void => {
    pending.push(bytes);
    pendingBytes += bytes.length;
    tail =
      bytes.length >= lookBehind ? bytes.subarray(-lookBehind) : Buffer.concat([tail, bytes]).subarray(-lookBehind);
    if (pendingBytes > maxEventBytes) throw new EventTooLarge(`${maxEventBytes} bytes`);
  };

  const takePending = (more: Buffer): Buffer => {
    const bytes = pending.length === 0 ? more : Buffer.concat([...pending, more]);
    pending = [];
    pendingBytes = 0;
    tail = none;
    return bytes;
  };

  const endsIn = (chunk: Buffer): boolean =>
    findEventEnd(chunk, 0) !== -1 || findEventEnd(Buffer.concat([tail, chunk.subarray(0, lookBehind)]), 0) !== -1;

  return {
    push(received) {
      const chunk = isBegun ? received : withoutMark(received);
      isBegun = true;
      if (pending.length > 0 && !endsIn(chunk)) {
        keep(chunk);
        return noEvents;
      }
      // Only the new bytes, and the line end before them, can complete an event.
      let from = Math.max(0, pendingBytes - lookBehind);
      const bytes = takePending(chunk);
      let start = 0;
      let events: SseEvent[] | undefined;

      for (;;) {
        const end = findEventEnd(bytes, from);
        if (end === -1) break;
        events ??= [];
        events.push(readEvent(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)));
        start = end;
        from = end;
      }
      if (start < bytes.length) keep(bytes.subarray(start));
      return events ?? noEvents;
    },

    end() {
      const rest = takePending(none);
      return rest.length === 0 ? undefined : readEvent(rest);
    },
  };
}

const none: Buffer = Buffer.alloc(0);
/** The longest part of a blank line that may stand in earlier bytes. */
const lookBehind = 3;

const byteOrderMark = Buffer.from('\uFEFF');

/** Readers skip a mark at the very beginning of a stream. */
const withoutMark = (chunk: Buffer): Buffer =>
  chunk.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? chunk.subarray(byteOrderMark.length) : chunk;

/** Offset behind the first blank line at or after `from`, -1 when there is none. */
function findEventEnd(bytes: Buffer, from: number): number {
  if (bytes.indexOf(carriageReturn, from) !== -1) return findAnyEventEnd(bytes, from);
  for (let at = bytes.indexOf(lineFeed, from); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return at + 2;
  }
  return -1;
}

/** The same where lines may end with a carriage return, alone or in front of a line feed. */
function findAnyEventEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    const end = lineEndLength(bytes, at);
    if (end === 0) continue;
    const second = lineEndLength(bytes, at + end);
    if (second > 0) return at + end + second;
    at += end - 1;
  }
  return -1;
}

/** Length of the end of a line that stands there; 0 where there is none, or where it is not known yet which one. */
function lineEndLength(bytes: Buffer, at: number): number {
  if (bytes[at] === lineFeed) return 1;
  if (bytes[at] !== carriageReturn || at + 1 === bytes.length) return 0;
  return bytes[at + 1] === lineFeed ? 2 : 1;
}

const lineEnds = /\r\n|\n|\r/;

/** Lines of one event. Millions of them would hold up all others, and no server writes as many. */
const maxLines = 65_536;

function holdsMore(text: string): boolean {
  let lines = 0;
  for (const end of ['\n', '\r']) {
    for (let at = text.indexOf(end); at !== -1 && lines <= maxLines; at = text.indexOf(end, at + 1)) lines += 1;
  }
  return lines > maxLines;
}

const isData = (line: string): boolean => line.startsWith('data:') || line === 'data';

function readEvent(bytes: Buffer): SseEvent {
  const text = bytes.toString('utf8');
  // Nearly every event is one data line.
  if (text.startsWith('data: ') && text.indexOf('\n') === text.length - 2 && !text.includes('\r')) {
    return { bytes, data: text.slice(6, -2), lines: undefined };
  }
  if (text.length > maxLines && holdsMore(text)) throw new EventTooLarge(`${maxLines} lines`);
  const lines = text.split(lineEnds);
  const data = lines.filter(isData).map((line) => line.slice(line.startsWith('data: ') ? 6 : 5));
  const others = lines.filter((line) => line !== '' && !isData(line)).join('\n');
  return {
    bytes,
    data: data.length === 0 ? undefined : data.join('\n'),
    lines: others === '' ? undefined : others,
  };
}
