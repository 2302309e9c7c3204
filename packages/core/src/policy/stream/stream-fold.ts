import { lengthOfOpenEscape, unescape } from '../views/escapes.ts';
import { fold, lengthOfOpenSequence, placesOf } from '../views/fold.ts';

/** A piece of the stream, written out and folded. */
interface Segment {
  /** Where it begins in the folded stream, and how long it is there. */
  readonly from: number;
  readonly length: number;
  /** Where it begins in the stream itself. */
  readonly base: number;
  /** Undefined where folding changed nothing. */
  readonly places: ((start: number, end: number) => readonly [start: number, end: number]) | undefined;
  readonly offsets: Int32Array | undefined;
  /** The same for what was escaped, between the stream and what is folded. */
  readonly escaped: Int32Array | undefined;
}

/** Segments further back than this are over: no pattern looks that far. */
const kept = 16_384;

/**
 * Writes out what is escaped in a stream and folds it, piece by piece, and knows where everything stood. A pair, an escape
 * and a sequence of a terminal that are cut in two wait for their other half.
 */
export class StreamFold {
  #segments: Segment[] = [];
  #carry = '';
  /** Lengths of the folded stream, and of the stream itself as far as it has been folded. */
  #folded: number;
  #read: number;
  #hasChanged = false;

  constructor(start: number) {
    this.#folded = this.#read = start;
  }

  /** Something in the stream reads otherwise than it stands, or may when more has come. */
  get isNeeded(): boolean {
    return this.#hasChanged || this.#carry !== '';
  }

  /** So much at the end of the stream waits for its other half. */
  get waiting(): number {
    return this.#carry.length;
  }

  push(text: string, isLast = false): string {
    let piece = this.#carry + text;
    const open = isLast ? 0 : lengthOfOpen(piece);
    this.#carry = open === 0 ? '' : piece.slice(-open);
    if (open > 0) piece = piece.slice(0, -open);
    const unescaped = unescape(piece);
    const plain = unescaped?.text ?? piece;
    const folded = fold(plain);
    this.#hasChanged ||= unescaped !== undefined || folded !== undefined;
    const length = folded?.text.length ?? plain.length;
    const { offsets } = folded ?? {};
    this.#segments.push({
      from: this.#folded,
      length,
      base: this.#read,
      offsets,
      places: folded && placesOf(folded, plain),
      escaped: unescaped?.offsets,
    });
    this.#folded += length;
    this.#read += piece.length;
    const over = this.#segments.findIndex(({ from, length: size }) => from + size > this.#folded - kept);
    if (over > 64) this.#segments.splice(0, over);
    return folded?.text ?? plain;
  }

  /** Where what stands in `start` … `end` of the folded stream stood. */
  locate(start: number, end: number): readonly [start: number, end: number] {
    const last = this.#segmentOf(end - 1);
    const lastEnd = last?.places?.(end - 1 - last.from, end - last.from)[1] ?? end - (last?.from ?? 0);
    return [this.place(start), (last?.base ?? 0) + (last?.escaped?.[lastEnd] ?? lastEnd)];
  }

  /** The offset in the stream before which everything stands that is before `offset` in the folded one. */
  place(offset: number): number {
    if (offset >= this.#folded) return this.#read;
    const segment = this.#segmentOf(offset);
    if (segment === undefined) return offset;
    const at = offset - segment.from;
    const unfolded = segment.offsets?.[at] ?? at;
    return segment.base + (segment.escaped?.[unfolded] ?? unfolded);
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

function lengthOfOpen(piece: string): number {
  const last = piece.charCodeAt(piece.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) return 1;
  return Math.max(lengthOfOpenEscape(piece), lengthOfOpenSequence(piece));
}
