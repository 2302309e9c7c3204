import { mostWeighed } from './clean-text.ts';

/** No window that begins before the text is the highest. */
export const unreachable = 1 << 29;

/**
 * Room for what the places of a text weigh together, from the first up to each. In front stand as many as the window
 * has places, so that a window weighs the total at its end less the one a window before. Whoever weighs keeps its own:
 * arrays that never move are read fastest.
 */
export const newTotals = (window: number): Int32Array =>
  new Int32Array(window + mostWeighed + 1).fill(unreachable, 0, window - 1);

/** What a place weighs by itself. */
export const sumAt = (totals: Int32Array, window: number, place: number): number =>
  (totals[window + place] as number) - (totals[window + place - 1] as number);
