import type { ResponseFilter, StreamVerdict } from '@portcullis/core/pipeline/stage';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';
import type { InspectedUnit } from './inspected-unit.ts';

/** Units with more bytes of text than this are read in slices, so that others go on meanwhile. */
const longUnit = 4_096;

/** Bytes that may wait behind a long unit. Its target pauses meanwhile; one that sends more all the same is cut off. */
const maxWaitingBytes = 33_554_432;

/** A filter that can take a long unit in steps. It is given nothing else before the last of them. */
export interface SteppedFilter<Unit> extends Pick<ResponseFilter<Unit>, 'push' | 'end'> {
  pushCooperatively(unit: Unit): Generator<undefined, StreamVerdict<Unit>>;
  /** Bytes of a unit. */
  sizeOf(unit: Unit): number;
}

const hold = { kind: 'hold' } as const;

/** Gives a filter long units in slices of the event loop, and short ones at once, unless they come behind a long one. */
export class SlicedFilter<Unit extends InspectedUnit> implements ResponseFilter<Unit> {
  readonly #filter: SteppedFilter<Unit>;
  readonly #wake: () => void;
  /** What is left to be done for a long unit and those behind it. */
  #steps: Generator<undefined, StreamVerdict<Unit>> | undefined;
  #decided: StreamVerdict<Unit> = hold;
  readonly #waiting: Unit[] = [];
  #waitingBytes = 0;
  #ended = false;
  #closed = false;
  /** What went wrong in a slice, for the chain to be told of. */
  #fault: Error | undefined;

  constructor(filter: SteppedFilter<Unit>, wake: () => void) {
    this.#filter = filter;
    this.#wake = wake;
  }

  get waiting(): boolean {
    return this.#ended && this.#steps !== undefined;
  }

  get congested(): boolean {
    return this.#steps !== undefined;
  }

  push(unit: Unit): StreamVerdict<Unit> {
    if (this.#steps !== undefined) return this.#wait(unit);
    if (!this.#isLong(unit)) return this.#filter.push(unit);
    this.#begin(unit);
    return hold;
  }

  end(): StreamVerdict<Unit> {
    this.#ended = true;
    return this.#steps === undefined ? this.#filter.end() : hold;
  }

  wake(): StreamVerdict<Unit> {
    if (this.#fault !== undefined) throw this.#fault;
    const verdict = this.#decided;
    this.#decided = hold;
    if (!this.#ended || this.#steps !== undefined || verdict.kind === 'cut') return verdict;
    const last = this.#filter.end();
    if (verdict.kind === 'hold' || last.kind === 'hold') return verdict;
    return { ...last, units: [...verdict.units, ...last.units] };
  }

  /** What is still to be read is not needed any more. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
    this.#steps?.return(hold);
  }

  #wait(unit: Unit): StreamVerdict<Unit> {
    this.#waiting.push(unit);
    this.#waitingBytes += this.#filter.sizeOf(unit);
    return this.#waitingBytes > maxWaitingBytes
      ? { kind: 'cut', denial: { reason: 'target_failed' }, units: [] }
      : hold;
  }

  #begin(unit: Unit): void {
    this.#steps = this.#takeAll(unit);
    runTimeSliced(this.#steps).then(
      (verdict) => this.#finish(verdict),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Takes a long unit and all that have come behind it until then. */
  *#takeAll(first: Unit): Generator<undefined, StreamVerdict<Unit>> {
    const units: Unit[] = [];
    for (let unit: Unit | undefined = first; unit !== undefined; unit = this.#takeWaiting()) {
      const verdict = this.#isLong(unit) ? yield* this.#filter.pushCooperatively(unit) : this.#filter.push(unit);
      if (verdict.kind !== 'hold') units.push(...verdict.units);
      if (verdict.kind === 'cut') return { ...verdict, units };
      yield;
    }
    return { kind: 'release', units };
  }

  #takeWaiting(): Unit | undefined {
    const unit = this.#waiting.shift();
    if (unit !== undefined) this.#waitingBytes -= this.#filter.sizeOf(unit);
    return unit;
  }

  #finish(verdict: StreamVerdict<Unit>): void {
    this.#steps = undefined;
    this.#decided = verdict;
    if (this.#closed) return;
    // Units that came when all was read and the chain had not been told so yet.
    const next = verdict.kind === 'cut' ? undefined : this.#takeWaiting();
    if (next !== undefined) this.#begin(next);
    this.#wake();
  }

  #fail(error: unknown): void {
    this.#steps = undefined;
    this.#fault = error instanceof Error ? error : new Error(String(error));
    if (!this.#closed) this.#wake();
  }

  /** Bytes that are no text, such as those of a picture that is sent as it is, are not read. */
  #isLong(unit: Unit): boolean {
    if (this.#filter.sizeOf(unit) <= longUnit) return false;
    const { content } = unit;
    return content.kind === 'value' || content.texts.reduce((sum, { text }) => sum + text.length, 0) > longUnit;
  }
}
