import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import type { SnapshotCompiler } from './snapshot-compiler.ts';

export interface SwapParts<Rows, Snapshot> {
  readonly compiler: SnapshotCompiler<Rows, Snapshot>;
  /** In force until the first swap. */
  readonly empty: Snapshot;
  readonly log: Logger;
  /** Called after each swap. */
  readonly onChange: (snapshot: Snapshot) => void;
}

/** Brings rows into force, one set after the other, and what they had to do without as soon as it is made. */
export class SnapshotSwaps<Rows, Snapshot> implements AsyncDisposable {
  readonly #parts: SwapParts<Rows, Snapshot>;
  readonly #end = new AbortController();
  #current: Snapshot;
  /** What the current one was compiled from. */
  #served: Rows | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #catchingUp: Promise<void> | undefined;

  constructor(parts: SwapParts<Rows, Snapshot>) {
    this.#parts = parts;
    this.#current = parts.empty;
  }

  get current(): Snapshot {
    return this.#current;
  }

  /** Resolves when the rows are in force. @throws what keeps them from being compiled */
  swap(rows: Rows): Promise<void> {
    return this.#queue(() => this.#swapNow(rows));
  }

  /** Resolves when nothing is being made that a snapshot had to do without. */
  async caughtUp(): Promise<void> {
    await this.#catchingUp;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#catchingUp;
  }

  async #swapNow(rows: Rows): Promise<void> {
    const { compiler, onChange } = this.#parts;
    await compiler.prepare(rows);
    this.#current = compiler.compile(rows);
    this.#served = rows;
    onChange(this.#current);
    this.#catchingUp ??= this.#catchUp().finally(() => {
      this.#catchingUp = undefined;
    });
  }

  /** Policies are compiled beside the changes that come meanwhile, and are in force with the newest of them. */
  async #catchUp(): Promise<void> {
    const { compiler, log } = this.#parts;
    try {
      while (!this.#end.signal.aborted && (await compiler.catchUp())) await this.#queue(() => this.#serveAgain());
    } catch (error) {
      log.error('policies could not be brought into force', { reason: problemText(error) });
    }
  }

  async #serveAgain(): Promise<void> {
    if (this.#served !== undefined) await this.#swapNow(this.#served);
  }

  /** One after the other. */
  #queue(task: () => Promise<void>): Promise<void> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
