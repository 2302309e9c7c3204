/** A part of a sequence as it stood on the wire. */
export interface SequencePart {
  readonly bytes: Buffer;
  /** An object or a list, with the white space behind it; what separates values; anything else, in no certain pieces. */
  readonly kind: 'value' | 'space' | 'text';
}

const [quote, backslash, lineFeed] = [0x22, 0x5c, 0x0a];
const opening: ReadonlySet<number> = new Set(Buffer.from('{['));
const closing: ReadonlySet<number> = new Set(Buffer.from('}]'));
const blank: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));
/** Blanks, commas, record separators and the bytes of a byte order mark. */
const separating: ReadonlySet<number> = new Set([...blank, ...Buffer.from(',\u001E\uFEFF')]);

/** Cuts JSON values that follow one another into parts: each on a line, behind record separators, or without anything between. */
export class JsonSequenceFramer {
  readonly #maxValueBytes: number;
  readonly #value = new ValueEnd();
  #kind: SequencePart['kind'] = 'space';
  /** Of a value that is under way. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  /** @param maxValueBytes a larger value is told as text, as far as it has come */
  constructor(maxValueBytes: number) {
    this.#maxValueBytes = maxValueBytes;
  }

  push(chunk: Buffer): readonly SequencePart[] {
    const parts: SequencePart[] = [];
    let start = 0;
    const close = (end: number): void => {
      if (end > start) parts.push({ bytes: this.#take(chunk.subarray(start, end)), kind: this.#kind });
      start = end;
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#value.isOpen) {
        if (!this.#value.read(byte)) continue;
        // The end of a line goes with its value: readers of lines wait for it.
        while (blank.has(chunk[at + 1] as number)) at += 1;
        close(at + 1);
        this.#kind = 'space';
        continue;
      }
      const next = this.#kindOf(byte);
      if (next !== this.#kind) {
        close(at);
        this.#kind = next;
      }
      if (next === 'value') this.#value.read(byte);
      else if (next === 'text' && byte === lineFeed) {
        close(at + 1);
        this.#kind = 'space';
      }
    }
    if (!this.#value.isOpen) close(chunk.length);
    else if (start < chunk.length) parts.push(...this.#keep(chunk.subarray(start)));
    return parts;
  }

  /** What is left when no more comes. */
  end(): readonly SequencePart[] {
    return this.#pending.length === 0 ? [] : [{ bytes: this.#take(Buffer.alloc(0)), kind: 'text' }];
  }

  /** The kind of what begins with this byte, behind the present one. */
  #kindOf(byte: number): SequencePart['kind'] {
    if (this.#kind === 'text') return 'text';
    if (opening.has(byte)) return 'value';
    return separating.has(byte) ? 'space' : 'text';
  }

  /** The beginning of a value whose end has not come. @returns it as text when it is too large to wait for that */
  #keep(bytes: Buffer): readonly SequencePart[] {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes <= this.#maxValueBytes) return [];
    this.#kind = 'text';
    this.#value.forget();
    return [{ bytes: this.#take(Buffer.alloc(0)), kind: 'text' }];
  }

  #take(bytes: Buffer): Buffer {
    const whole = this.#pending.length === 0 ? bytes : Buffer.concat([...this.#pending, bytes]);
    this.#pending = [];
    this.#pendingBytes = 0;
    return whole;
  }
}

/** Follows an object or a list to its end. */
class ValueEnd {
  #depth = 0;
  #isString = false;
  #isEscaped = false;

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** @returns whether the value ends with this byte */
  read(byte: number): boolean {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isString = false;
      return false;
    }
    if (byte === quote) this.#isString = true;
    else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte)) this.#depth -= 1;
    return this.#depth === 0;
  }

  forget(): void {
    [this.#depth, this.#isString, this.#isEscaped] = [0, false, false];
  }
}
