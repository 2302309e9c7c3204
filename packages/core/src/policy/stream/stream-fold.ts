import { fold, placesOf } from '../views/fold.ts';

/** A piece of the stream, folded. */
interface Segment {
  /** Where it begins in the folded stream, and how long it is there. */
  readonly from: number;
  readonly length: number;
  /** Where it begins in the stream itself. */
  readonly base: number;
  /** Undefined where folding changed nothing. */
  readonly places: ((start: number, end: number) => readonly [start: number, end: number]) | undefined;
  readonly offsets: Int32Array | undefined;
}

/** Segments further back than this are over: no pattern looks that far. */
const kept = 16_384;

/**
 * Folds a stream piece by piece and knows where everything stood. A pair that is cut in two waits for
 * its second half.
 */
export class StreamFold {
  #segments: Segment[] = [];
  #carry = '';
  /** Lengths of the folded stream, and of the stream itself as far as it has been folded. */
  #folded: number;
  #read: number;

  constructor(start: number) {
    this.#folded = this.#read = start;
  }

  push(text: string, isLast = false): string {
    let piece = this.#carry + text;
    this.#carry = '';
    const last = piece.charCodeAt(piece.length - 1);
    if (!isLast && last >= 0xd800 && last <= 0xdbff) {
      this.#carry = piece.slice(-1);
      piece = piece.slice(0, -1);
    }
    const folded = fold(piece);
    const length = folded?.text.length ?? piece.length;
    const { offsets } = folded ?? {};
    this.#segments.push({
      from: this.#folded,
      length,
      base: this.#read,
      offsets,
      places: folded && placesOf(folded, piece),
    });
    this.#folded += length;
    this.#read += piece.length;
    const over = this.#segments.findIndex(({ from, length: size }) => from + size > this.#folded - kept);
    if (over > 64) this.#segments.splice(0, over);
    return folded?.text ?? piece;
  }

  /** Where what stands in `start` … `end` of the folded stream stood. */
  locate(start: number, end: number): readonly [start: number, end: number] {
    const last = this.#segmentOf(end - 1);
    const lastEnd = last?.places?.(end - 1 - last.from, end - last.from)[1] ?? end - (last?.from ?? 0);
    return [this.place(start), (last?.base ?? 0) + lastEnd];
  }

  /** The offset in the stream before which everything stands that is before `offset` in the folded one. */
  place(offset: number): number {
    if (offset >= this.#folded) return this.#read;
    const segment = this.#segmentOf(offset);
    if (segment === undefined) return offset;
    const at = offset - segment.from;
    return segment.base + (segment.offsets?.[at] ?? at);
  }

  /** Segments are many where what is asked about has been standing for long: where a stream is held or blocked. */
  #segmentOf(offset: number): Segment | undefined {
    let [low, high] = [0, this.#segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#segments[middle] as Segment).from <= offset) low = middle + 1;
      else high = middle;
    }
    const segment = this.#segments[low - 1];
    return segment !== undefined && offset < segment.from + segment.length ? segment : undefined;
  }
}
