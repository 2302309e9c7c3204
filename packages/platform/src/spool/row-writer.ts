import { backslash, closing, comma, opening, quote, zero } from './row-codes.ts';

/** Most turns need less; a larger one gets room of its own, which is given back. */
const usualBytes = 1 << 16;

/** What cannot stand between quotation marks as it is, in a row or in a line. */
const special = /["\\\p{Cc}\p{Cs}]/u;

/** The most that a number takes, as JavaScript writes it, with its comma. */
const numberBytes = 32;
/** Of a number in two parts that are integers to the machine. */
const lowDigits = 7;
const lowLimit = 10 ** lowDigits;
const integerLimit = 2 ** 31;

/** Writes rows and what stands between them byte by byte, where they will be written to the disk from. */
export class RowWriter {
  #bytes = Buffer.allocUnsafeSlow(usualBytes);
  #at = 0;
  #isPlain = true;

  get length(): number {
    return this.#at;
  }

  /** What was written from one place to another, valid until more is. */
  slice(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  /** Takes back what was written from a place on. */
  backTo(length: number): void {
    this.#at = length;
  }

  clear(): void {
    this.#at = 0;
    if (this.#bytes.length > usualBytes) this.#bytes = Buffer.allocUnsafeSlow(usualBytes);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  copy(source: Uint8Array): void {
    this.#reserve(source.length);
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < source.length; index += 1) bytes[at + index] = source[index] as number;
    this.#at = at + source.length;
  }

  /** Eight hexadecimal digits, in the place of what was written there. */
  hexDigitsAt(place: number, value: number): void {
    const bytes = this.#bytes;
    for (let digit = 0; digit < 8; digit += 1) {
      const nibble = (value >>> (28 - 4 * digit)) & 15;
      bytes[place + digit] = nibble + (nibble < 10 ? 0x30 : 0x57);
    }
  }

  /** Faster than `utf8` as long as the text is short. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < text.length; index += 1) bytes[at + index] = text.charCodeAt(index);
    this.#at = at + text.length;
  }

  utf8(text: string): void {
    // A unit of a text takes three bytes at most.
    this.#reserve(3 * text.length);
    this.#at += this.#bytes.write(text, this.#at);
  }

  beginRow(): void {
    this.byte(opening);
    this.#isPlain = true;
  }

  /** False when a text in the row would need escaping: it is none then. */
  endRow(): boolean {
    this.#bytes[this.#at - 1] = closing;
    return this.#isPlain;
  }

  empty(): void {
    this.byte(comma);
  }

  /** A field with a text of ASCII in which nothing needs escaping. */
  word(text: string | null | undefined): void {
    if (text === null || text === undefined) return this.empty();
    this.byte(quote);
    this.ascii(text);
    this.#endText();
  }

  text(text: string | null | undefined): void {
    if (text === null || text === undefined) return this.empty();
    this.#reserve(text.length + 3);
    const bytes = this.#bytes;
    const start = this.#at + 1;
    bytes[start - 1] = quote;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit < 0x20 || unit >= 0x7f || unit === quote || unit === backslash) return this.#otherText(text);
      bytes[start + index] = unit;
    }
    this.#at = start + text.length;
    this.#endText();
  }

  boolean(value: boolean): void {
    this.ascii(value ? 'true' : 'false');
    this.byte(comma);
  }

  number(value: number | null | undefined): void {
    if (value === null || value === undefined) return this.empty();
    this.#reserve(numberBytes);
    if (value >= 0 && value < integerLimit && (value | 0) === value) this.#digits(value, 1);
    else if (value >= 0 && Number.isSafeInteger(value)) this.#largeNumber(value);
    else this.ascii(String(value));
    this.byte(comma);
  }

  #otherText(text: string): void {
    if (special.test(text)) this.#isPlain = false;
    this.byte(quote);
    this.utf8(text);
    this.#endText();
  }

  #endText(): void {
    this.#reserve(2);
    this.#bytes[this.#at++] = quote;
    this.#bytes[this.#at++] = comma;
  }

  #largeNumber(value: number): void {
    const high = Math.floor(value / lowLimit);
    this.#digits(high, 1);
    this.#digits(value - high * lowLimit, lowDigits);
  }

  /** The digits of an integer, with zeros in front of it if it has less than `least`. */
  #digits(value: number, least: number): void {
    let count = least;
    for (let limit = 10 ** least; limit <= value; limit *= 10) count += 1;
    const bytes = this.#bytes;
    const start = this.#at;
    let rest = value;
    for (let at = start + count - 1; at >= start; at -= 1) {
      const next = (rest / 10) | 0;
      bytes[at] = zero + rest - next * 10;
      rest = next;
    }
    this.#at = start + count;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#at + bytes));
    larger.set(this.slice(0, this.#at));
    this.#bytes = larger;
  }
}
