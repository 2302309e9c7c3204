import type { Batch, BatchLimit, Segment } from './segment.ts';

/** A segment for the time in which the disk takes nothing. */
export class MemorySegment implements Segment {
  #lines: string[] = [];
  pendingBytes = 0;

  get pendingRecords(): number {
    return this.#lines.length;
  }

  /** Everything that waits, as it was written. */
  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** Takes whole lines, each with its newline. */
  write(text: string): void {
    this.#lines = this.#lines.concat(text.split('\n').slice(0, -1));
    this.pendingBytes += Buffer.byteLength(text);
  }

  async read({ maxRecords, maxBytes }: BatchLimit): Promise<Batch> {
    const lines: string[] = [];
    let bytes = 0;
    for (const line of this.#lines) {
      const next = bytes + Buffer.byteLength(line) + 1;
      if (lines.length === maxRecords || (lines.length > 0 && next > maxBytes)) break;
      lines.push(line);
      bytes = next;
    }
    return { lines, bytes };
  }

  advance({ lines, bytes }: Batch): void {
    this.#lines = this.#lines.slice(lines.length);
    this.pendingBytes -= bytes;
  }

  empty(): void {}
  async remove(): Promise<void> {}
  async setAside(): Promise<void> {}
  async close(): Promise<void> {}
}
