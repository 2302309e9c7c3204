import type { CopyWriter } from './copy-writer.ts';
import { newline, type RecordLine } from './record-line.ts';
import { backslash, closing, codeOf, comma, quote, zero } from './row-codes.ts';

/** How a field of a row is copied. */
export interface CopyColumn {
  readonly name: string;
  /** SQL type; `given` where no row tells a value. */
  readonly type: string;
  /** The field that stands for a value that is left out; null where there is none. */
  readonly usual: Uint8Array | null;
}

/** Rows never have any: records with such values are JSON. */
export const isCopied = ({ type }: CopyColumn): boolean => type !== 'jsonb';

/** Thousands of such numbers add up exactly, and times are smaller until the year 2109. */
const numberLimit = 2 ** 42;
const integerLimit = 2 ** 31;
const unixMsOf2000 = Date.UTC(2000);

const mostColumns = 32;
const dash = codeOf('-');
const letterT = codeOf('t');

const noDigit = 255;
const hexDigits = new Uint8Array(256).fill(noDigit);
for (const digit of '0123456789abcdefABCDEF') hexDigits[codeOf(digit)] = Number.parseInt(digit, 16);

/** Reads rows where they stand, and can tell of the last one what is added up. Columns are told by their places. */
export class RowReader {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #numbers = new Float64Array(mostColumns);
  /** Where the fields begin. */
  readonly #starts = new Int32Array(mostColumns + 1);
  #at = 0;

  /**
   * Copies a row. False when it is not as `writeRow` writes it; half a row was written then.
   * @param fields how many of the columns are copied
   */
  copy(row: RecordLine, columns: readonly CopyColumn[], fields: number, to: CopyWriter): boolean {
    this.#bytes = row.bytes;
    this.#at = row.dataAt + 1;
    if (!row.isRow) return false;
    to.beginRow(fields);
    let index = 0;
    for (const column of columns) {
      this.#starts[index] = this.#at;
      if (!this.#copyField(column, index, to)) return false;
      index += 1;
    }
    this.#starts[index] = this.#at;
    to.endRow();
    return this.#at === row.end && this.#bytes[this.#at - 1] === closing;
  }

  /** A number as the row has it; 0 where it is left out. */
  number(column: number): number {
    return this.#numbers[column] ?? 0;
  }

  isEmpty(column: number): boolean {
    return (this.#starts[column + 1] ?? 0) - (this.#starts[column] ?? 0) === 1;
  }

  /** The text of a column that is not empty. */
  text(column: number): string {
    return this.#bytes.toString('utf8', (this.#starts[column] ?? 0) + 1, (this.#starts[column + 1] ?? 0) - 2);
  }

  /** The fields from one column to another as they stand in the row: only good for comparing. */
  fields(from: number, to: number): string {
    return this.#bytes.toString('latin1', this.#starts[from], this.#starts[to + 1]);
  }

  /** Up to the comma or parenthesis behind it. */
  #copyField(column: CopyColumn, index: number, to: CopyWriter): boolean {
    if (column.type === 'given') {
      if (column.usual !== null) to.field(column.usual);
      return true;
    }
    if (this.#isAtSeparator()) {
      this.#numbers[index] = 0;
      if (column.usual !== null) to.field(column.usual);
      else if (column.type !== 'jsonb') to.null();
    } else if (!this.#copyValue(column.type, index, to) || !this.#isAtSeparator()) return false;
    this.#at += 1;
    return true;
  }

  #isAtSeparator(): boolean {
    const code = this.#bytes[this.#at];
    return code === comma || code === closing;
  }

  #copyValue(type: string, index: number, to: CopyWriter): boolean {
    if (type === 'text') return this.#copyText(to);
    if (type === 'uuid') return this.#copyUuid(to);
    if (type === 'boolean') return this.#copyBoolean(to);
    return this.#copyNumber(type, index, to);
  }

  #copyText(to: CopyWriter): boolean {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== quote) return false;
    const start = this.#at + 1;
    let at = start;
    for (let code = bytes[at]; code !== quote; code = bytes[at]) {
      if (code === newline || code === backslash || code === undefined) return false;
      at += 1;
    }
    to.text(bytes, start, at);
    this.#at = at + 1;
    return true;
  }

  #copyUuid(to: CopyWriter): boolean {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== quote) return false;
    let at = this.#at + 1;
    let wrong = 0;
    to.beginUuid();
    for (let index = 0; index < 16; index += 1) {
      if (index === 4 || index === 6 || index === 8 || index === 10) {
        if (bytes[at] !== dash) return false;
        at += 1;
      }
      const high = hexDigits[bytes[at] ?? 0] ?? noDigit;
      const low = hexDigits[bytes[at + 1] ?? 0] ?? noDigit;
      wrong |= high | low;
      to.byte((high << 4) | low);
      at += 2;
    }
    this.#at = at + 1;
    return wrong < 16 && bytes[at] === quote;
  }

  #copyBoolean(to: CopyWriter): boolean {
    const isTrue = this.#bytes[this.#at] === letterT;
    const word = isTrue ? 'true' : 'false';
    for (let index = 0; index < word.length; index += 1) {
      if (this.#bytes[this.#at + index] !== word.charCodeAt(index)) return false;
    }
    to.boolean(isTrue);
    this.#at += word.length;
    return true;
  }

  #copyNumber(type: string, index: number, to: CopyWriter): boolean {
    const value = this.#readNumber();
    this.#numbers[index] = value;
    if (!(Math.abs(value) < (type === 'integer' ? integerLimit : numberLimit))) return false;
    if (type === 'integer') to.int32(value);
    else if (type === 'bigint') to.int64(value);
    else if (type === 'timestamptz') to.int64((value - unixMsOf2000) * 1_000);
    else if (type === 'double precision') to.double(value / 1_000);
    else return false;
    return true;
  }

  /** NaN when there is no whole number. */
  #readNumber(): number {
    const bytes = this.#bytes;
    const isNegative = bytes[this.#at] === dash;
    const start = isNegative ? this.#at + 1 : this.#at;
    let at = start;
    let value = 0;
    for (;;) {
      const digit = (bytes[at] ?? 0) - zero;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      at += 1;
    }
    this.#at = at;
    if (at === start) return Number.NaN;
    return isNegative ? -value : value;
  }
}
