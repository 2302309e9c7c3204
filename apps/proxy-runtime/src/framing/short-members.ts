/** Bytes of a member that is kept, and of all of them. */
const [longestMember, longestKept] = [16_384, 131_072];

/** Keeps the short members of one object whose bytes pass by, such as what an answer says of its usage. */
export class ShortMembers {
  readonly #found = new Map<string, Buffer>();
  #kept = 0;
  #key: string | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** The value of this key comes next. */
  open(key: string): void {
    this.#key = key;
    this.#parts = [];
    this.#bytes = 0;
  }

  /** More of it, as it stands. */
  push(bytes: Buffer): void {
    if (this.#key === undefined) return;
    this.#bytes += bytes.length;
    if (this.#bytes > longestMember) this.#key = undefined;
    else this.#parts.push(bytes);
  }

  close(): void {
    const key = this.#key;
    this.#key = undefined;
    if (key === undefined || this.#kept + this.#bytes > longestKept) return;
    this.#kept += this.#bytes;
    this.#found.set(key, Buffer.concat(this.#parts));
  }

  /** Those that are JSON. */
  read(): Readonly<Record<string, unknown>> {
    const read: [string, unknown][] = [];
    for (const [key, bytes] of this.#found) {
      try {
        read.push([key, JSON.parse(bytes.toString('utf8'))]);
      } catch {
        // No member of JSON.
      }
    }
    return Object.fromEntries(read);
  }
}
