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
/** First UTC day of so many that end today. */
export const firstDay = (days: number, now: Date): string => dayOf(new Date(now.getTime() - (days - 1) * dayMs));

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

/** Periods of `alert_top_counts`, from one on and before another; the same twice stands for itself. */
export interface PeriodRange {
  readonly from: string;
  readonly to: string;
}

/** Weeks begin with their Monday. Days sort before all weeks, and what is empty before all days. */
const afterAllDays = 'W';
const afterAllWeeks = 'X';

/** Whole weeks where a range of days has some, and the days around them; all times are one period. */
export function cutIntoPeriods({ from, to }: NonNullable<DayWindow['days']>): readonly PeriodRange[] {
  if (from === undefined && to === undefined) return [{ from: '', to: '' }];
  const firstWeek = from && mondayOnOrAfter(from);
  const endOfWeeks = to && mondayOnOrBefore(to);
  if (firstWeek !== undefined && endOfWeeks !== undefined && firstWeek >= endOfWeeks) return [range(from, to)];
  return [
    ...(from === undefined ? [] : [range(from, firstWeek)]),
    { from: `W${firstWeek ?? ''}`, to: endOfWeeks === undefined ? afterAllWeeks : `W${endOfWeeks}` },
    ...(to === undefined ? [] : [range(endOfWeeks, to)]),
  ].filter((period) => period.from < period.to);
}

const range = (from = '0', to = afterAllDays): PeriodRange => ({ from, to });

const mondayOnOrBefore = (day: string): string => {
  const start = startOf(day);
  return dayOf(new Date(start.getTime() - ((start.getUTCDay() + 6) % 7) * dayMs));
};
const mondayOnOrAfter = (day: string): string => mondayOnOrBefore(dayOf(new Date(startOf(day).getTime() + 6 * dayMs)));
