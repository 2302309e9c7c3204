import type { RecordLine } from './record-line.ts';
import type { Batch, BatchLimit, Segment, Turn } from './segment.ts';
import { sizeOfLine, TurnBytes } from './turn-bytes.ts';

/** A segment for the time in which the disk takes nothing. */
export class MemorySegment implements Segment {
  #records: readonly RecordLine[] = [];
  pendingBytes = 0;

  get pendingRecords(): number {
    return this.#records.length;
  }

  /** Everything that waits, as it was written. */
  get turn(): Turn {
    const lines = new TurnBytes();
    for (const record of this.#records) lines.add(record);
    return { records: this.#records, bytes: lines.bytes };
  }

  write({ records, bytes }: Turn): void {
    this.#records = this.#records.concat(records);
    this.pendingBytes += bytes.length;
  }

  async read({ maxRecords, maxBytes }: BatchLimit): Promise<Batch> {
    const taken: RecordLine[] = [];
    let bytes = 0;
    for (const record of this.#records) {
      const next = bytes + sizeOfLine(record);
      if (taken.length === maxRecords || (taken.length > 0 && next > maxBytes)) break;
      taken.push(record);
      bytes = next;
    }
    return { records: taken, damaged: [], bytes };
  }

  advance({ records, bytes }: Batch): void {
    this.#records = this.#records.slice(records.length);
    this.pendingBytes -= bytes;
  }

  empty(): void {}
  async remove(): Promise<void> {}
  async setAside(): Promise<void> {}
  async close(): Promise<void> {}
}
