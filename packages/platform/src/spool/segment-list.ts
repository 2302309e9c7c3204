import type { Batch, Segment } from './segment.ts';

/** The segments of a spool, oldest first. */
export class SegmentList {
  #segments: readonly Segment[] = [];
  /** The one that is written to, if any. */
  newest: Segment | undefined;

  get pendingRecords(): number {
    return this.#segments.reduce((sum, { pendingRecords }) => sum + pendingRecords, 0);
  }

  get pendingBytes(): number {
    return this.#segments.reduce((sum, { pendingBytes }) => sum + pendingBytes, 0);
  }

  add(segment: Segment): void {
    this.#segments = [...this.#segments, segment];
  }

  /** Puts a segment in the place of another that holds the same lines. */
  replace(old: Segment, segment: Segment): void {
    this.#segments = this.#segments.map((kept) => (kept === old ? segment : kept));
  }

  /** The oldest segment that has something to drain. */
  oldest(): Segment | undefined {
    return this.#segments.find(({ pendingRecords }) => pendingRecords > 0);
  }

  /**
   * Forgets lines that are in the database, and the segment when it is through. When the segment
   * was replaced meanwhile this changes nothing: the lines will come once more.
   */
  async settle(segment: Segment, batch: Batch): Promise<void> {
    segment.advance(batch);
    if (segment.pendingRecords > 0) return;
    try {
      if (segment === this.newest) segment.empty();
    } catch {
      this.newest = undefined;
    }
    await this.sweep();
  }

  /** Removes the segments that have nothing to drain and are not written to. */
  async sweep(): Promise<void> {
    const isThrough = (segment: Segment) => segment.pendingRecords === 0 && segment !== this.newest;
    const through = this.#segments.filter(isThrough);
    this.#segments = this.#segments.filter((segment) => !isThrough(segment));
    // A file that cannot be removed is drained again after the next start, which changes nothing.
    for (const segment of through) await segment.remove().catch(() => {});
  }

  /** Goes on without a segment that cannot be read. */
  async setAside(segment: Segment): Promise<void> {
    this.#segments = this.#segments.filter((kept) => kept !== segment);
    if (segment === this.newest) this.newest = undefined;
    await segment.setAside();
  }

  async close(): Promise<void> {
    this.newest = undefined;
    await this.sweep();
    for (const segment of this.#segments) await segment.close();
  }
}
