import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { problemText } from '../../errors/problem.ts';
import type { Logger } from '../../log/logger.ts';
import { QueueState, type QueueEntry } from './queue-state.ts';

const minRewriteBytes = 1_048_576;

interface Waiting {
  readonly line: string;
  readonly synced: boolean;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * A queue's entries as lines of JSON in one file. A killed process loses nothing that was appended:
 * each batch is one write. Power loss loses no accepted job: a batch with an `add` or an `again` is
 * synced before they are confirmed. Other entries are synced along the way, and losing one gives a
 * job out once more. The file is rewritten from the state at every opening, when it has outgrown
 * the state, and after a failed write, so that nothing is ever appended to a torn line.
 */
export class QueueJournal implements AsyncDisposable {
  readonly state: QueueState;
  readonly #path: string;
  #file: FileHandle | undefined;
  #bytes = 0;
  #rewriteAtBytes = 0;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #problem: string | undefined;
  #closed = false;

  constructor(path: string, log: Logger) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.state = loadState(path, log);
    this.#flushing = this.#flush();
  }

  /** Why the last write failed; undefined while all is well. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Resolves when the entry is in the file, and on the disk if `synced`. The caller applies it to the state. */
  append(entry: QueueEntry, { synced }: { readonly synced: boolean }): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('The queue is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, synced, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  /** Writes what is waiting and closes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    while (this.#flushing !== undefined) await this.#flushing;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #flush(): Promise<void> {
    do {
      const batch = this.#waiting.splice(0);
      try {
        await this.#write(batch);
        this.#problem = undefined;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#problem = problemText(error);
        this.#rewriteAtBytes = 0;
        for (const { reject } of batch) reject(error);
      }
    } while (this.#waiting.length > 0);
    this.#flushing = undefined;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const file = this.#file === undefined || this.#bytes >= this.#rewriteAtBytes ? await this.#rewrite() : this.#file;
    const lines = Buffer.from(batch.map(({ line }) => line).join(''));
    await file.appendFile(lines);
    this.#bytes += lines.length;
    if (batch.some(({ synced }) => synced)) await file.datasync();
  }

  /** Replaces the file by the state as it is now. Entries still to be written find themselves applied already. */
  async #rewrite(): Promise<FileHandle> {
    const text = Buffer.from(Array.from(this.state.entries(), (entry) => `${JSON.stringify(entry)}\n`).join(''));
    const file = await open(`${this.#path}.new`, 'w');
    try {
      await file.appendFile(text);
      await file.datasync();
      await rename(`${this.#path}.new`, this.#path);
    } catch (error) {
      await file.close();
      throw error;
    }
    await syncDirectory(dirname(this.#path));
    await this.#file?.close();
    this.#file = file;
    this.#bytes = text.length;
    this.#rewriteAtBytes = Math.max(minRewriteBytes, 2 * text.length);
    return file;
  }
}

/** What follows the last line break was torn by the end of the process: its acceptance was never told. */
function loadState(path: string, log: Logger): QueueState {
  const state = new QueueState();
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  lines.forEach((line, index) => {
    const entry = parseEntry(line);
    if (entry !== undefined) state.apply(entry);
    else log.error('A line of a queue is damaged and was skipped', { path, line: index + 1 });
  });
  return state;
}

function parseEntry(line: string): QueueEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Only this class writes the file, so the two fields every entry has tell it from debris. */
const isEntry = (value: unknown): value is QueueEntry =>
  typeof value === 'object' && value !== null && 'op' in value && 'id' in value;

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
