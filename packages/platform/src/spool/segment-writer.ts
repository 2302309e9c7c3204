import { join } from 'node:path';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import type { FileOperations } from './file-operations.ts';
import { FileSegment } from './file-segment.ts';
import { MemorySegment } from './memory-segment.ts';
import type { Turn } from './segment.ts';
import type { SegmentList } from './segment-list.ts';

export interface SegmentWriterOptions {
  readonly directory: string;
  readonly files: FileOperations;
  /** A file that has grown to this is followed by a new one. */
  readonly segmentBytes: number;
  /** While less waits for the database it is held in memory too, and only what the drain fell behind with is read back. */
  readonly maxHeldBytes: number;
  /** How often lines are handed to the disk itself, and a disk that refused is tried again. */
  readonly diskIntervalMs: number;
  readonly log: Logger;
}

const emptyLine = Buffer.from('\n');

/**
 * Writes lines to the newest segment. What the disk refuses is kept in a segment in memory, which
 * moves to the disk once that takes lines again.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #segments: SegmentList;
  #lastNumber: number;
  /** Files with lines that are not surely on the disk itself, in the order in which they were made. */
  readonly #unsynced = new Set<FileSegment>();
  #timer: NodeJS.Timeout | undefined;
  #tending: Promise<void> = Promise.resolve();
  #closed = false;
  #fault: string | undefined;

  /** `lastNumber` is the highest that a file in the folder bears. */
  constructor(options: SegmentWriterOptions, segments: SegmentList, lastNumber: number) {
    this.#options = options;
    this.#segments = segments;
    this.#lastNumber = lastNumber;
  }

  /** What the disk said when it refused; undefined while it takes what is written. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Bytes that wait in memory because the disk refused them. */
  get memoryBytes(): number {
    return this.#segments.newest instanceof MemorySegment ? this.#segments.newest.pendingBytes : 0;
  }

  /** Writes the lines in one piece. Never throws. */
  write(turn: Turn): void {
    if (this.#segments.newest instanceof MemorySegment) this.#segments.newest.write(turn);
    else this.#writeToDisk(turn);
    this.#tendLater();
  }

  /** Hands everything to the disk itself and ends the writing. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#tending;
    await this.#tendDisk();
  }

  #writeToDisk(turn: Turn): void {
    try {
      const file = this.#newestFile();
      file.write(turn, { hold: this.#segments.pendingBytes < this.#options.maxHeldBytes });
      if (file.length >= this.#options.segmentBytes) this.#segments.newest = undefined;
    } catch (error) {
      this.#report(error);
      const memory = new MemorySegment();
      memory.write(turn);
      this.#segments.add(memory);
      this.#segments.newest = memory;
    }
  }

  #newestFile(): FileSegment {
    const { newest } = this.#segments;
    const file = newest instanceof FileSegment ? newest : this.#createFile();
    if (file !== newest) this.#segments.add(file);
    this.#segments.newest = file;
    this.#unsynced.add(file);
    return file;
  }

  #createFile(): FileSegment {
    this.#lastNumber += 1;
    const name = `${String(this.#lastNumber).padStart(12, '0')}.jsonl`;
    return FileSegment.create(join(this.#options.directory, name), this.#options.files);
  }

  #tendLater(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tending = this.#tendDisk();
    }, this.#options.diskIntervalMs).unref();
  }

  async #tendDisk(): Promise<void> {
    try {
      if (this.#segments.newest instanceof MemorySegment) await this.#moveToDisk(this.#segments.newest);
      for (const file of this.#unsynced) await this.#sync(file);
      await this.#segments.sweep();
      // Meanwhile it may have refused again.
      if (this.#segments.newest instanceof MemorySegment) return;
      if (this.#fault !== undefined) this.#options.log.info('The disk takes the spool again');
      this.#fault = undefined;
    } catch (error) {
      this.#report(error);
      this.#tendLater();
    }
  }

  async #sync(file: FileSegment): Promise<void> {
    this.#unsynced.delete(file);
    try {
      await file.sync();
    } catch (error) {
      // What the kernel did with the lines is unknown now, so the next ones go to another file.
      if (this.#segments.newest === file) this.#segments.newest = undefined;
      throw error;
    } finally {
      if (this.#segments.newest !== file) await file.seal();
    }
  }

  async #moveToDisk(memory: MemorySegment): Promise<void> {
    const file = this.#createFile();
    try {
      // A write of nothing would prove nothing.
      const turn = memory.turn;
      file.write(turn.bytes.length === 0 ? { ...turn, bytes: emptyLine } : turn, { hold: false });
      if (memory.pendingRecords === 0) file.empty();
    } catch (error) {
      await file.remove();
      throw error;
    }
    this.#segments.replace(memory, file);
    this.#segments.newest = file;
    this.#unsynced.add(file);
  }

  #report(error: unknown): void {
    if (this.#fault === undefined) {
      this.#options.log.error('The disk refuses the spool; records stay in memory', { reason: problemText(error) });
    }
    this.#fault = problemText(error);
  }
}
