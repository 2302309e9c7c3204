import type { SpoolRecord } from '@portcullis/contracts/records';

/**
 * The way of everything recorded: appended to a local segment file with one write per event-loop
 * turn, drained in batches into the database, removed only when committed there. A killed process
 * or a database outage loses nothing.
 */
export interface Spool extends AsyncDisposable {
  /**
   * Takes records, which must not change any more, and calls `written` once they are in the kernel's hands (the end of this
   * event-loop turn), so that an answer sent after it can never outlive its evidence. When the disk
   * refuses, the records stay in bounded memory, `written` is called all the same and `state()`
   * says degraded: traffic goes on.
   * @throws when the spool was disposed
   */
  append(records: readonly SpoolRecord[], written?: () => void): void;
  state(): SpoolState;
  /** Resolves when everything appended before the call is in the database; rejects after `timeoutMs`. */
  drained(timeoutMs: number): Promise<void>;
}

export interface SpoolState {
  readonly status: 'healthy' | 'degraded';
  /** Why it is degraded, for a person. */
  readonly reason: string | null;
  /** Records appended and not yet committed to the database. */
  readonly pendingRecords: number;
  readonly pendingBytes: number;
  /** Request logs given up because the quota was reached, since start. */
  readonly shedRecords: number;
  /** Records given up because neither disk nor database took them and the memory was full, or that cannot be rendered, since start. */
  readonly lostRecords: number;
  /** Records that the database refuses for what they are, set aside in `rejected.jsonl`, since start. */
  readonly rejectedRecords: number;
}
