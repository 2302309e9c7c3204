import type { RecordLine } from './record-line.ts';

/** How much is drained at once, unless a single line is longer. */
export const batchLimit = { maxRecords: 2_000, maxBytes: 1 << 20 } as const;

/** What stands at the front of a segment. */
export interface Batch {
  readonly records: readonly RecordLine[];
  /** Lines that are no record any more, without their newlines. */
  readonly damaged: readonly string[];
  /** Bytes that all of them take in the segment. */
  readonly bytes: number;
}

/** Lines that were written in one piece. */
export interface Turn {
  /** How many. */
  readonly records: number;
  /** The lines in UTF-8, each with its newline. Valid until they are written. */
  readonly bytes: Uint8Array;
}

/** Lines that wait to be drained, in the order in which they were appended. */
export interface Segment {
  readonly pendingRecords: number;
  readonly pendingBytes: number;
  /** The first lines that wait, at least one; the same again until `advance`. */
  read(): Promise<Batch>;
  /** Forgets the lines of a batch: they are in the database. */
  advance(batch: Batch): void;
  /** Starts anew after everything was drained, as the segment that is still written to. */
  empty(): void;
  /** Gives up what the segment holds on disk. */
  remove(): Promise<void>;
  /** Keeps what the segment holds on disk for a person to look at, where nothing drains it. */
  setAside(): Promise<void>;
  /** Lets go of the disk and keeps what is there. */
  close(): Promise<void>;
}
