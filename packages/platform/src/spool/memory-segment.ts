import { MemoryTail } from './memory-tail.ts';
import type { Batch, Segment, Turn } from './segment.ts';

/** A segment for the time in which the disk takes nothing. */
export class MemorySegment implements Segment {
  readonly #lines = new MemoryTail();
  pendingRecords = 0;

  get pendingBytes(): number {
    return this.#lines.bytes;
  }

  /** Everything that waits, as it was written. */
  get turn(): Turn {
    return { records: this.pendingRecords, bytes: this.#lines.lines };
  }

  write(turn: Turn): void {
    this.#lines.add(turn);
    this.pendingRecords += turn.records;
  }

  async read(): Promise<Batch> {
    return this.#lines.take() ?? { records: [], damaged: [], bytes: 0 };
  }

  advance({ records, damaged, bytes }: Batch): void {
    this.#lines.drop(bytes);
    this.pendingRecords -= records.length + damaged.length;
  }

  empty(): void {}
  async remove(): Promise<void> {}
  async setAside(): Promise<void> {}
  async close(): Promise<void> {}
}
