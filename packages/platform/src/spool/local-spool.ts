import type { SpoolRecord } from '@portcullis/contracts/records';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import type { Drain } from './drain.ts';
import type { SegmentList } from './segment-list.ts';
import type { SegmentWriter } from './segment-writer.ts';
import type { Spool, SpoolState } from './spool.ts';
import { BatchEncoder } from './batch-encoder.ts';

export interface LocalSpoolParts {
  readonly maxBytes: number;
  readonly maxMemoryBytes: number;
  readonly closeTimeoutMs: number;
  readonly log: Logger;
  readonly segments: SegmentList;
  readonly writer: SegmentWriter;
  readonly drain: Drain;
  /** Disposed at the very end. */
  readonly resources: AsyncDisposable;
}

/** The share of the quota that request logs may fill; the rest is for alerts and usage. */
const requestLogShare = 0.8;

/** What gives way to them. */
const shedFirst: ReadonlySet<SpoolRecord['kind']> = new Set(['request_log', 'trace_content']);

/**
 * Gathers the records of one turn of the event loop and writes them in one piece at its end. They are also rendered
 * there, one after the other, while what that takes is in the processor's caches.
 */
export class LocalSpool implements Spool {
  readonly #parts: LocalSpoolParts;
  #turn: SpoolRecord[] = [];
  readonly #lines = new BatchEncoder();
  #written: (() => void)[] = [];
  #flush: NodeJS.Immediate | undefined;
  #closed = false;
  /** Every record that was ever given to the spool, as far as a former process had left it. */
  #givenRecords: number;
  #shedRecords = 0;
  #lostRecords = 0;
  readonly #waiting = new Set<() => void>();

  constructor(parts: LocalSpoolParts) {
    this.#parts = parts;
    this.#givenRecords = parts.segments.pendingRecords;
    parts.drain.start(() => this.#checkDrained());
  }

  append(records: readonly SpoolRecord[], written?: () => void): void {
    if (this.#closed) throw new Error('The spool is closed');
    for (const record of records) this.#turn.push(record);
    this.#givenRecords += records.length;
    if (written !== undefined) this.#written.push(written);
    this.#flush ??= setImmediate(() => this.#endTurn());
  }

  state(): SpoolState {
    const reason = this.#trouble();
    return {
      status: reason === null ? 'healthy' : 'degraded',
      reason,
      pendingRecords: this.#pendingRecords,
      pendingBytes: this.#pendingBytes,
      shedRecords: this.#shedRecords,
      lostRecords: this.#lostRecords,
      rejectedRecords: this.#parts.drain.rejectedRecords,
    };
  }

  async drained(timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const target = this.#givenRecords;
    const check = (): void => {
      if (this.#givenRecords - this.#pendingRecords >= target) resolve();
    };
    const late = () =>
      reject(new Error(`${this.#pendingRecords} records are not in the database after ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs);
    this.#waiting.add(check);
    check();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(check);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { writer, drain, segments, closeTimeoutMs, log, resources } = this.#parts;
    this.#endTurn();
    await this.drained(closeTimeoutMs).catch((error: unknown) => {
      log.warn('Records wait in the spool for the next start', { reason: problemText(error) });
    });
    await drain.stop();
    await writer.close();
    if (writer.memoryBytes > 0) log.error('Records that no disk took are lost', { records: segments.pendingRecords });
    await resources[Symbol.asyncDispose]();
  }

  /** Something waits no more: it is in the database, or was given up. */
  #checkDrained(): void {
    for (const check of this.#waiting) check();
  }

  #isOverShare(): boolean {
    const { maxBytes, maxMemoryBytes, writer } = this.#parts;
    return Math.max(this.#pendingBytes / maxBytes, writer.memoryBytes / maxMemoryBytes) > requestLogShare;
  }

  #endTurn(): void {
    clearImmediate(this.#flush);
    this.#flush = undefined;
    const written = this.#written;
    this.#writeTurn();
    this.#written = [];
    this.#checkDrained();
    this.#parts.drain.wake();
    for (const callback of written) this.#call(callback);
  }

  #writeTurn(): void {
    const isOverShare = this.#isOverShare();
    const isFull = this.#parts.writer.memoryBytes > this.#parts.maxMemoryBytes;
    for (const record of this.#turn) {
      if (isOverShare && shedFirst.has(record.kind)) this.#shedRecords += 1;
      else if (isFull) this.#lostRecords += 1;
      else this.#render(record);
    }
    this.#turn = [];
    const { records, bytes } = this.#lines;
    if (records > 0) this.#parts.writer.write({ records, bytes });
    this.#lines.clear();
  }

  #render(record: SpoolRecord): void {
    try {
      this.#lines.add(record);
    } catch (error) {
      this.#lostRecords += 1;
      this.#parts.log.error('A record cannot be rendered and is lost', {
        kind: record.kind,
        reason: problemText(error),
      });
    }
  }

  #call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#parts.log.error('A callback of the spool failed', { reason: problemText(error) });
    }
  }

  #trouble(): string | null {
    const { writer, drain } = this.#parts;
    const troubles: string[] = [];
    if (writer.fault !== undefined) troubles.push(`the disk refuses records, they are kept in memory: ${writer.fault}`);
    if (drain.fault !== undefined) troubles.push(`the database takes no records: ${drain.fault}`);
    if (this.#isOverShare()) troubles.push('the quota is used up, request logs are given up');
    return troubles.length === 0 ? null : troubles.join('; ');
  }

  get #pendingRecords(): number {
    return this.#parts.segments.pendingRecords + this.#turn.length;
  }

  /** Without those of the turn, which are not rendered yet. */
  get #pendingBytes(): number {
    return this.#parts.segments.pendingBytes;
  }
}
