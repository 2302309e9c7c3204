const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** One event as it stood on the wire, its blank line included, and its joined `data` lines. */
export interface SseEvent {
  readonly bytes: Buffer;
  /** Undefined for comments and events without data. */
  readonly data: string | undefined;
}

/** Cuts a byte stream into server-sent events, however the bytes arrive. */
export interface SseFramer {
  /** @throws {EventTooLarge} when an event grows beyond the bound */
  push(chunk: Buffer): readonly SseEvent[];
  /** What is left when the stream ends without a blank line. */
  end(): SseEvent | undefined;
}

export class EventTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`An event of the stream is larger than ${maxBytes} bytes`);
    this.name = 'EventTooLarge';
  }
}

const noEvents: readonly SseEvent[] = Object.freeze([]);

export function createSseFramer(maxEventBytes: number): SseFramer {
  /** An event that has begun, as its chunks came: a large one is put together once, when it ends. */
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let tail: Buffer = none;

  const keep = (bytes: Buffer): void => {
    pending.push(bytes);
    pendingBytes += bytes.length;
    tail =
      bytes.length >= lookBehind ? bytes.subarray(-lookBehind) : Buffer.concat([tail, bytes]).subarray(-lookBehind);
    if (pendingBytes > maxEventBytes) throw new EventTooLarge(maxEventBytes);
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
    push(chunk) {
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

/** Offset behind the first blank line at or after `from`, -1 when there is none. */
function findEventEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(lineFeed, from); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return at + 2;
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed) return at + 3;
  }
  return -1;
}

const lineEnds = /\r\n|\n|\r/;

function readEvent(bytes: Buffer): SseEvent {
  const text = bytes.toString('utf8');
  // Nearly every event is one data line.
  if (text.startsWith('data: ') && text.indexOf('\n') === text.length - 2 && !text.includes('\r')) {
    return { bytes, data: text.slice(6, -2) };
  }
  const lines = text
    .split(lineEnds)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line.startsWith('data: ') ? 6 : 5));
  return { bytes, data: lines.length === 0 ? undefined : lines.join('\n') };
}
