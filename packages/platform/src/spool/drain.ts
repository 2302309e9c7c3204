import { problemCode, problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import type { RecordLine } from './record-line.ts';
import type { RejectedRecord } from './rejected-records.ts';
import type { SaveRecords } from './save-records.ts';
import { batchLimit, type Batch, type Segment } from './segment.ts';
import type { SegmentList } from './segment-list.ts';

export interface DrainOptions {
  readonly segments: SegmentList;
  readonly save: SaveRecords;
  /** Keeps records that can never be saved. */
  readonly setAside: (records: readonly RejectedRecord[]) => Promise<void>;
  readonly log: Logger;
  /** How long the first records of a batch wait for others. */
  readonly lingerMs: number;
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** In how many turns of lingering a batch may be gathered, and what must have come in each to have another. */
const longestLinger = 5;
const manyRecords = 16;
/** A segment that cannot be read so often in a row is set aside. */
const readAttempts = 5;

/** SQLSTATE classes by which the database refuses the data itself, whenever it is sent. */
const refusalStates = /^(21|22|23|54)...$/;

/** Moves records from the segments into the database, in batches and in order, until it is stopped. */
export class Drain {
  readonly #options: DrainOptions;
  #stopped = false;
  #endPause = (): void => {};
  #work = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  #onSettled = (): void => {};
  #failedReads = 0;
  #fault: string | undefined;
  #rejectedRecords = 0;

  constructor(options: DrainOptions) {
    this.#options = options;
  }

  /** Why nothing gets into the database at present; undefined while all is well. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Records set aside since the start. */
  get rejectedRecords(): number {
    return this.#rejectedRecords;
  }

  /** `onSettled` is called after every batch. */
  start(onSettled: () => void): void {
    this.#onSettled = onSettled;
    this.#running = this.#run();
  }

  /** Tells that there is something to drain. */
  wake(): void {
    this.#work.resolve();
  }

  /** Resolves when the batch in hand is through. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endPause();
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    let pauseMs = firstPauseMs;
    for (let segment = await this.#next(); segment !== undefined; segment = await this.#next()) {
      try {
        await this.#drainBatch(segment);
        pauseMs = firstPauseMs;
      } catch (error) {
        this.#report(error);
        await this.#pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  }

  /** Waits for something to drain; undefined when stopped. */
  async #next(): Promise<Segment | undefined> {
    const { segments } = this.#options;
    while (segments.oldest() === undefined && !this.#stopped) {
      await this.#work.promise;
      this.#work = Promise.withResolvers();
    }
    await this.#linger();
    return this.#stopped ? undefined : segments.oldest();
  }

  /** Waits for others to join the first; for longer where many come, since a batch costs as much as many rows. */
  async #linger(): Promise<void> {
    const { segments, lingerMs } = this.#options;
    for (let turn = 0; turn < longestLinger && segments.pendingRecords < batchLimit.maxRecords; turn += 1) {
      const before = segments.pendingRecords;
      await this.#pause(lingerMs);
      if (segments.pendingRecords - before < manyRecords || this.#stopped) return;
    }
  }

  async #drainBatch(segment: Segment): Promise<void> {
    const batch = await this.#read(segment);
    const rejected: RejectedRecord[] = batch.damaged.map((line) => ({ reason: 'the line is damaged', line }));
    rejected.push(...(await this.#save(batch.records)));
    await this.#options.setAside(rejected);
    this.#rejectedRecords += rejected.length;
    this.#recover();
    await this.#options.segments.settle(segment, batch);
    this.#onSettled();
  }

  async #read(segment: Segment): Promise<Batch> {
    try {
      const batch = await segment.read();
      this.#failedReads = 0;
      return batch;
    } catch (error) {
      this.#failedReads += 1;
      if (this.#failedReads === readAttempts) await this.#giveUp(segment, error);
      throw error;
    }
  }

  async #giveUp(segment: Segment, error: unknown): Promise<void> {
    this.#failedReads = 0;
    this.#rejectedRecords += segment.pendingRecords;
    this.#options.log.error('A segment cannot be read and was set aside', { reason: problemText(error) });
    await this.#options.segments.setAside(segment);
    this.#onSettled();
  }

  /** Saves what can be saved and answers the rest, found by halving what is refused. */
  async #save(records: readonly RecordLine[]): Promise<readonly RejectedRecord[]> {
    if (records.length === 0) return [];
    try {
      await this.#options.save(records);
      return [];
    } catch (error) {
      if (!refusalStates.test(problemCode(error) ?? '')) throw error;
      if (records.length === 1) return records.map(({ text }) => ({ reason: problemText(error), line: text }));
      const middle = Math.ceil(records.length / 2);
      return [...(await this.#save(records.slice(0, middle))), ...(await this.#save(records.slice(middle)))];
    }
  }

  /** Until it is stopped at the latest. */
  async #pause(ms: number): Promise<void> {
    if (this.#stopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endPause = resolve;
    setTimeout(resolve, ms).unref();
    await promise;
  }

  #report(error: unknown): void {
    if (this.#fault === undefined) {
      this.#options.log.warn('Records cannot be drained into the database; they wait', { reason: problemText(error) });
    }
    this.#fault = problemText(error);
  }

  #recover(): void {
    if (this.#fault !== undefined) this.#options.log.info('Records are drained into the database again');
    this.#fault = undefined;
  }
}
