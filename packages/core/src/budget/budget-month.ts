import type { ReportPeriod } from '@portcullis/contracts/report-periods';

const dayMs = 86_400_000;

/** A calendar month, UTC. */
export interface BudgetMonth {
  /** YYYY-MM */
  readonly name: string;
  readonly start: Date;
  /** First moment of the next month, when spending begins anew. */
  readonly end: Date;
}

export function budgetMonth(now: Date): BudgetMonth {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return { name: start.toISOString().slice(0, 7), start, end };
}

/** UTC days, YYYY-MM-DD, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The days of a period; those that end today include it. */
export function daysOf(period: ReportPeriod, now: Date): DayRange {
  const today = dayOf(now);
  const back = (days: number): DayRange => ({ from: dayOf(new Date(now.getTime() - (days - 1) * dayMs)), to: today });
  const month = budgetMonth(now);
  switch (period) {
    case 'today':
      return back(1);
    case 'last_7_days':
      return back(7);
    case 'last_30_days':
      return back(30);
    case 'last_90_days':
      return back(90);
    case 'this_month':
      return { from: dayOf(month.start), to: today };
    case 'last_month': {
      const lastDay = new Date(month.start.getTime() - dayMs);
      return { from: dayOf(budgetMonth(lastDay).start), to: dayOf(lastDay) };
    }
    case 'this_year':
      return { from: `${now.getUTCFullYear()}-01-01`, to: today };
  }
}

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
