import type { View } from '../policy.ts';

/** What a decoder made of a part of a text. */
export interface Piece {
  readonly view: View;
  readonly text: string;
  /** False when `locate` only tells what surrounds the place. */
  readonly exact: boolean;
  /** A part of the text that differs from it in a few characters: what weighs texts has seen it. */
  readonly isPart?: true;
  /** The place in the text that was decoded of a place in the piece. */
  locate(start: number, end: number): readonly [start: number, end: number];
}

/** Takes a piece; false when no more are wanted. */
export type Emit = (piece: Piece) => boolean;

/** A piece that stands for a span as a whole. */
export const spanning = (view: View, text: string, start: number, end: number): Piece => ({
  view,
  text,
  exact: false,
  locate: () => [start, end],
});

/** A piece whose units come from known offsets; one more offset tells where the last unit ends. */
export const mapping = (view: View, text: string, offsets: Int32Array): Piece => ({
  view,
  text,
  exact: true,
  locate: (start, end) => [offsets[start] ?? 0, offsets[end] ?? 0],
});

/** Spans that stand closer to each other than `gap`, with that many units around them, joined. */
export function* cluster(
  text: string,
  matches: Iterable<{ readonly index: number; readonly 0: string }>,
  gap: number,
  fewest: number,
): Generator<readonly [start: number, end: number]> {
  let start = 0;
  let end = -1;
  let count = 0;
  for (const match of matches) {
    if (end >= 0 && match.index - end > gap) {
      if (count >= fewest) yield [Math.max(0, start - gap), Math.min(text.length, end + gap)];
      end = -1;
    }
    if (end < 0) {
      start = match.index;
      count = 0;
    }
    end = match.index + match[0].length;
    count += 1;
  }
  if (end >= 0 && count >= fewest) yield [Math.max(0, start - gap), Math.min(text.length, end + gap)];
}
