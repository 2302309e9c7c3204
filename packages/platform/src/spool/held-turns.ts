import type { RecordLine } from './record-line.ts';
import type { Batch, BatchLimit } from './segment.ts';

interface HeldTurn {
  readonly records: readonly RecordLine[];
  readonly bytes: number;
}

/** What was written to a file and waits, oldest first, so that draining reads and checks nothing that was just written. */
export class HeldTurns {
  #turns: HeldTurn[] = [];
  bytes = 0;

  add(turn: HeldTurn): void {
    this.#turns.push(turn);
    this.bytes += turn.bytes;
  }

  /** Whole turns; undefined when not even the first is within the limit. */
  take({ maxRecords, maxBytes }: BatchLimit): Batch | undefined {
    const records: RecordLine[] = [];
    let bytes = 0;
    for (const turn of this.#turns) {
      if (records.length + turn.records.length > maxRecords || bytes + turn.bytes > maxBytes) break;
      for (const record of turn.records) records.push(record);
      bytes += turn.bytes;
    }
    return bytes === 0 ? undefined : { records, damaged: [], bytes };
  }

  /** Lets go of the first turns, which have so many bytes. */
  drop(bytes: number): void {
    let count = 0;
    for (let left = bytes; left > 0; count += 1) left -= this.#turns[count]?.bytes ?? left;
    this.#turns.splice(0, count);
    this.bytes = Math.max(0, this.bytes - bytes);
  }

  clear(): void {
    this.#turns = [];
    this.bytes = 0;
  }
}
