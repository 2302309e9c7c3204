import { readLine } from './record-line.ts';
import { batchLimit, type Batch, type Turn } from './segment.ts';
import { BufferPool } from './buffer-pool.ts';
import { takeLines } from './take-lines.ts';

const memoryOfPages = new BufferPool();

/** Memory for as many lines as a batch takes. */
class Page {
  readonly #memory: Buffer;
  #records = 0;
  #length = 0;
  #drained = 0;

  constructor(bytes: number) {
    this.#memory = memoryOfPages.take(Math.max(bytes, batchLimit.maxBytes));
  }

  /** The lines that wait. */
  get lines(): Buffer {
    return this.#memory.subarray(this.#drained, this.#length);
  }

  hasRoomFor({ records, bytes }: Turn): boolean {
    return this.#records + records <= batchLimit.maxRecords && this.#length + bytes.length <= this.#memory.length;
  }

  add({ records, bytes }: Turn): void {
    this.#memory.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#records += records;
  }

  /** Lets go of the first lines; false when there are no others. */
  drop(bytes: number): boolean {
    this.#drained += bytes;
    return this.#drained < this.#length;
  }

  /** The lines may not be read any more. */
  giveBack(): void {
    if (this.#memory.length === batchLimit.maxBytes) memoryOfPages.giveBack(this.#memory);
  }
}

/** Lines that wait in memory, oldest first, so that draining reads and checks nothing that was just written. */
export class MemoryTail {
  readonly #pages: Page[] = [];
  bytes = 0;

  add(turn: Turn): void {
    let page = this.#pages.at(-1);
    if (page?.hasRoomFor(turn) !== true) {
      page = new Page(turn.bytes.length);
      this.#pages.push(page);
    }
    page.add(turn);
    this.bytes += turn.bytes.length;
  }

  /** The first of them, valid until they are dropped; undefined when there are none. */
  take(): Batch | undefined {
    const lines = this.#pages[0]?.lines;
    return lines && takeLines(lines, readLine);
  }

  /** Lets go of the first lines, which have so many bytes and were taken together. */
  drop(bytes: number): void {
    const [page] = this.#pages;
    if (page === undefined) return;
    this.bytes -= bytes;
    if (page.drop(bytes)) return;
    page.giveBack();
    this.#pages.shift();
  }

  /** All of them. */
  get lines(): Buffer {
    return Buffer.concat(this.#pages.map(({ lines }) => lines));
  }
}
