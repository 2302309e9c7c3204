const code = (letter: string): number => letter.charCodeAt(0);

/** Begins every COPY in PostgreSQL's binary format: its signature, no flags and no extension. */
const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** PostgreSQL pins something for each row that it gathers and looks for it among all others: a few hundred are best. */
const rowsOfCopy = 200;

/** The most that a field has beside its text: its length, and eight bytes of a number. */
const fieldBytes = 12;

/** The most that rows can take. */
export const mostCopyBytes = (rows: number, fieldsOfRow: number, textBytes: number): number =>
  rows * (2 + fieldsOfRow * fieldBytes) + Math.ceil(1 + rows / rowsOfCopy) * 2 * head.length + textBytes;

/** Writes rows in PostgreSQL's binary format, as the messages of its protocol that some COPY statements take. */
export class CopyWriter {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;
  #startedAt = 0;
  #rows = 0;
  /** COPY statements that were begun. */
  copies = 0;

  /** @param bytes memory for all rows, see {@link mostCopyBytes} */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  beginRow(fields: number): void {
    if (this.#rows === 0) this.#beginCopy();
    this.#rows += 1;
    this.#view.setInt16(this.#at, fields);
    this.#at += 2;
  }

  endRow(): void {
    if (this.#rows === rowsOfCopy) this.endCopy();
  }

  null(): void {
    this.#length(-1);
  }

  /** A field as it goes over the wire, with its length. */
  field(field: Uint8Array): void {
    this.#bytes.set(field, this.#at);
    this.#at += field.length;
  }

  boolean(value: boolean): void {
    this.#length(1);
    this.#bytes[this.#at++] = value ? 1 : 0;
  }

  int32(value: number): void {
    this.#length(4);
    this.#view.setInt32(this.#at, value);
    this.#at += 4;
  }

  /** Of a whole number that JavaScript knows exactly. */
  int64(value: number): void {
    this.#length(8);
    this.#view.setInt32(this.#at, Math.floor(value / 4_294_967_296));
    this.#view.setInt32(this.#at + 4, value | 0);
    this.#at += 8;
  }

  double(value: number): void {
    this.#length(8);
    this.#view.setFloat64(this.#at, value);
    this.#at += 8;
  }

  /** The bytes from `start` until `end`; a loop is faster than a copy for so few. */
  text(source: Uint8Array, start: number, end: number): void {
    this.#length(end - start);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let from = start; from < end; from += 1) bytes[at++] = source[from] ?? 0;
    this.#at = at;
  }

  /** Begins a field of 16 bytes, which are to be written by {@link byte}. */
  beginUuid(): void {
    this.#length(16);
  }

  byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }

  /** What was begun takes no more rows. */
  endCopy(): void {
    if (this.#rows === 0) return;
    this.#rows = 0;
    this.#view.setInt16(this.#at, -1);
    this.#at += 2;
    this.#view.setInt32(this.#startedAt + 1, this.#at - this.#startedAt - 1);
    this.#bytes[this.#at] = code('c');
    this.#view.setInt32(this.#at + 1, 4);
    this.#at += 5;
  }

  /** All that was written. */
  get messages(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  #beginCopy(): void {
    this.copies += 1;
    this.#startedAt = this.#at;
    this.#bytes[this.#at] = code('d');
    this.#at += 5;
    this.field(head);
  }

  #length(bytes: number): void {
    this.#view.setInt32(this.#at, bytes);
    this.#at += 4;
  }
}
