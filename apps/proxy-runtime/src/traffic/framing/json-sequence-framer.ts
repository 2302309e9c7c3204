/** A part of a sequence as it stood on the wire. */
export interface SequencePart {
  readonly bytes: Buffer;
  /** An object or a list, with the white space behind it; what separates values; anything else, in no certain pieces. */
  readonly kind: 'value' | 'space' | 'text';
}

/** Cuts JSON values that follow one another into parts: each on a line, behind record separators, or without anything between. */
export interface JsonSequenceFramer {
  push(chunk: Buffer): readonly SequencePart[];
  /** What is left when no more comes. */
  end(): readonly SequencePart[];
}

const [quote, backslash, lineFeed] = [0x22, 0x5c, 0x0a];
const opening: ReadonlySet<number> = new Set(Buffer.from('{['));
const closing: ReadonlySet<number> = new Set(Buffer.from('}]'));
const blank: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));
/** Blanks, commas, record separators and the bytes of a byte order mark. */
const separating: ReadonlySet<number> = new Set([...blank, ...Buffer.from(',\u001E\uFEFF')]);

/** @param maxValueBytes a larger value is told as text, as far as it has come */
export function createJsonSequenceFramer(maxValueBytes: number): JsonSequenceFramer {
  let kind: SequencePart['kind'] = 'space';
  /** Of a value that is under way. */
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let depth = 0;
  let isString = false;
  let isEscaped = false;

  /** @returns whether a value ends with this byte */
  const readValue = (byte: number): boolean => {
    if (isString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isString = false;
      return false;
    }
    if (byte === quote) isString = true;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    return depth === 0;
  };

  const take = (bytes: Buffer): Buffer => {
    const whole = pending.length === 0 ? bytes : Buffer.concat([...pending, bytes]);
    pending = [];
    pendingBytes = 0;
    return whole;
  };

  /** The kind of what begins with this byte, behind `kind`. */
  const kindOf = (byte: number): SequencePart['kind'] => {
    if (kind === 'text') return 'text';
    if (opening.has(byte)) return 'value';
    return separating.has(byte) ? 'space' : 'text';
  };

  return {
    push(chunk) {
      const parts: SequencePart[] = [];
      let start = 0;
      const close = (end: number): void => {
        if (end > start) parts.push({ bytes: take(chunk.subarray(start, end)), kind });
        start = end;
      };
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] as number;
        if (depth > 0) {
          if (!readValue(byte)) continue;
          // The end of a line goes with its value: readers of lines wait for it.
          while (blank.has(chunk[at + 1] as number)) at += 1;
          close(at + 1);
          kind = 'space';
          continue;
        }
        const next = kindOf(byte);
        if (next !== kind) {
          close(at);
          kind = next;
        }
        if (kind === 'value') readValue(byte);
        else if (kind === 'text' && byte === lineFeed) {
          close(at + 1);
          kind = 'space';
        }
      }
      if (depth === 0) close(chunk.length);
      else if (start < chunk.length) {
        pending.push(chunk.subarray(start));
        pendingBytes += chunk.length - start;
        if (pendingBytes > maxValueBytes) {
          parts.push({ bytes: take(Buffer.alloc(0)), kind: 'text' });
          [kind, depth, isString, isEscaped] = ['text', 0, false, false];
        }
      }
      return parts;
    },

    end() {
      return pending.length === 0 ? [] : [{ bytes: take(Buffer.alloc(0)), kind: 'text' }];
    },
  };
}
