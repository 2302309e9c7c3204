import { open, rename, type FileHandle } from 'node:fs/promises';
import type { FileOperations } from './file-operations.ts';
import { MemoryTail } from './memory-tail.ts';
import { newline, parseLine } from './record-line.ts';
import { batchLimit, type Batch, type Segment, type Turn } from './segment.ts';
import { takeLines } from './take-lines.ts';

const countChunkBytes = 1 << 20;

/** A segment in a file: appended to while it is the newest one, drained from the front. */
export class FileSegment implements Segment {
  readonly #path: string;
  readonly #files: FileOperations;
  #writer: number | undefined;
  #reader: FileHandle | undefined;
  #syncing: Promise<void> | undefined;
  /** Bytes that are surely whole lines. A write that failed in the middle may have left more. */
  #length = 0;
  #drained = 0;
  /** The first of what waits, none of it when that was not held from the first of it on. */
  readonly #held = new MemoryTail();
  pendingRecords = 0;

  private constructor(path: string, files: FileOperations) {
    this.#path = path;
    this.#files = files;
  }

  /** Makes a file to write to. Throws what the disk says. */
  static create(path: string, files: FileOperations): FileSegment {
    const segment = new FileSegment(path, files);
    segment.#writer = files.open(path);
    return segment;
  }

  /** Opens a file that a former process left. What follows its last newline was torn by a crash and is left out. */
  static async find(path: string, files: FileOperations): Promise<FileSegment> {
    const segment = new FileSegment(path, files);
    segment.#reader = await open(path);
    const chunk = Buffer.alloc(countChunkBytes);
    for (let position = 0; ; position += chunk.length) {
      const { bytesRead } = await segment.#reader.read(chunk, 0, chunk.length, position);
      for (let at = chunk.indexOf(newline); at !== -1 && at < bytesRead; at = chunk.indexOf(newline, at + 1)) {
        segment.pendingRecords += 1;
        segment.#length = position + at + 1;
      }
      if (bytesRead < chunk.length) return segment;
    }
  }

  get pendingBytes(): number {
    return this.#length - this.#drained;
  }

  /** Bytes in the file, drained or not. */
  get length(): number {
    return this.#length;
  }

  /**
   * Appends lines, and may hold them for the drain as well. Throws what the disk says; the file may then have a
   * part of them and takes no more.
   */
  write(turn: Turn, { hold }: { readonly hold: boolean }): void {
    const { records, bytes } = turn;
    if (this.#writer === undefined) throw new Error(`${this.#path} is sealed`);
    for (let done = 0; done < bytes.length;) done += this.#files.write(this.#writer, bytes.subarray(done));
    if (hold && this.#held.bytes === this.pendingBytes) this.#held.add(turn);
    this.#length += bytes.length;
    this.pendingRecords += records;
  }

  /** Hands what was written to the disk itself. */
  async sync(): Promise<void> {
    if (this.#writer === undefined) return;
    this.#syncing ??= this.#files.sync(this.#writer).finally(() => (this.#syncing = undefined));
    await this.#syncing;
  }

  /** Ends the writing. */
  async seal(): Promise<void> {
    await this.#syncing?.catch(() => {});
    if (this.#writer !== undefined) this.#files.close(this.#writer);
    this.#writer = undefined;
  }

  async read(): Promise<Batch> {
    return this.#held.take() ?? this.#readFile();
  }

  async #readFile(): Promise<Batch> {
    const { maxBytes } = batchLimit;
    this.#reader ??= await open(this.#path);
    for (let wanted = Math.min(maxBytes, this.pendingBytes); ; wanted = Math.min(wanted * 2, this.pendingBytes)) {
      const { buffer, bytesRead } = await this.#reader.read(Buffer.allocUnsafe(wanted), 0, wanted, this.#drained);
      const batch = takeLines(buffer.subarray(0, bytesRead), parseLine);
      if (batch.bytes > 0) return batch;
      if (bytesRead < wanted || wanted === this.pendingBytes) throw new Error(`${this.#path} lost what was written`);
    }
  }

  advance({ records, damaged, bytes }: Batch): void {
    this.#drained += bytes;
    this.#held.drop(bytes);
    this.pendingRecords -= records.length + damaged.length;
  }

  /** Empties a file that is drained and still written to, so that a restart finds nothing in it. */
  empty(): void {
    if (this.#writer === undefined) return;
    this.#files.truncate(this.#writer);
    this.#length = 0;
    this.#drained = 0;
  }

  async remove(): Promise<void> {
    await this.close();
    await this.#files.remove(this.#path);
  }

  async setAside(): Promise<void> {
    await this.close();
    await rename(this.#path, `${this.#path}.unreadable`);
  }

  /** Ends writing and reading; the file stays. */
  async close(): Promise<void> {
    await this.seal();
    await this.#reader?.close();
    this.#reader = undefined;
  }
}
