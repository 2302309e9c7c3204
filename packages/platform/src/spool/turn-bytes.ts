import { findStart, sumOf, type RecordLine } from './record-line.ts';

/** Most turns need less; a larger one gets room of its own, which it gives back. */
const usualBytes = 1 << 16;

const newline = 10;
const space = 32;
const sumDigits = 8;

/** How many bytes a line has, with its newline. */
export const sizeOfLine = (line: RecordLine): number =>
  sumDigits + 1 + findStart(line).text.length + Buffer.byteLength(line.data) + 1;

/** The lines of a turn as they are written, put together where they will be written from. */
export class TurnBytes {
  #room = Buffer.allocUnsafeSlow(usualBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Those of all lines since `clear`, valid until the next is added. */
  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  add(line: RecordLine): void {
    const start = findStart(line);
    // A unit of a text takes three bytes at most.
    this.#reserve(sumDigits + start.text.length + 3 * line.data.length + 2);
    const room = this.#room;
    let at = putSum(room, this.#length, sumOf(line, start));
    room[at] = space;
    at += 1;
    at = putAscii(room, at, start.text);
    at += room.write(line.data, at);
    room[at] = newline;
    this.#length = at + 1;
  }

  clear(): void {
    this.#length = 0;
    if (this.#room.length > usualBytes) this.#room = Buffer.allocUnsafeSlow(usualBytes);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#room.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#room.length, this.#length + bytes));
    larger.set(this.bytes);
    this.#room = larger;
  }
}

function putSum(room: Uint8Array, at: number, sum: number): number {
  for (let digit = 0; digit < sumDigits; digit += 1) {
    const value = (sum >>> (28 - 4 * digit)) & 15;
    room[at + digit] = value + (value < 10 ? 0x30 : 0x57);
  }
  return at + sumDigits;
}

/** Faster than `write` as long as the text is short. */
function putAscii(room: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) room[at + index] = text.charCodeAt(index);
  return at + text.length;
}
