import type { TimeWindow } from './time-window.ts';

/** A window of time cut into whole UTC days and what is left at its ends. */
export interface DayWindow {
  /** `YYYY-MM-DD`, the first day and the one after the last; absent where the window is open. */
  readonly days: { readonly from?: string | undefined; readonly to?: string | undefined } | undefined;
  /** Parts of days; two at most. */
  readonly edges: readonly TimeWindow[];
}

const dayMs = 86_400_000;

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
export const dayAfter = (day: string): string => dayOf(new Date(startOf(day).getTime() + dayMs));

export function cutIntoDays({ from, to }: TimeWindow): DayWindow {
  const firstWhole = from && new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const endOfWhole = to && new Date(Math.floor(to.getTime() / dayMs) * dayMs);
  if (firstWhole !== undefined && endOfWhole !== undefined && firstWhole >= endOfWhole) {
    return { days: undefined, edges: [{ from, to }] };
  }
  return {
    days: { from: firstWhole && dayOf(firstWhole), to: endOfWhole && dayOf(endOfWhole) },
    edges: [
      ...(firstWhole !== undefined && from !== undefined && from < firstWhole ? [{ from, to: firstWhole }] : []),
      ...(endOfWhole !== undefined && to !== undefined && endOfWhole < to ? [{ from: endOfWhole, to }] : []),
    ],
  };
}
