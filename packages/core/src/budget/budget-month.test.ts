import { describe, expect, test } from '@jest/globals';
import type { ReportPeriod } from '@portcullis/contracts/report-periods';
import { budgetMonth, daysOf } from './budget-month.ts';

describe('budgetMonth', () => {
  test.each([
    ['2026-01-31T23:59:59.999Z', '2026-01', '2026-01-01', '2026-02-01'],
    ['2026-02-01T00:00:00.000Z', '2026-02', '2026-02-01', '2026-03-01'],
    ['2028-12-15T12:00:00.000Z', '2028-12', '2028-12-01', '2029-01-01'],
  ])('of %s', (now, name, start, end) =>
    expect(budgetMonth(new Date(now))).toEqual({ name, start: new Date(start), end: new Date(end) }),
  );
});

describe('daysOf', () => {
  const now = new Date('2026-03-02T00:00:00.000Z');
  test.each<[ReportPeriod, string, string]>([
    ['today', '2026-03-02', '2026-03-02'],
    ['last_7_days', '2026-02-24', '2026-03-02'],
    ['last_30_days', '2026-02-01', '2026-03-02'],
    ['last_90_days', '2025-12-03', '2026-03-02'],
    ['this_month', '2026-03-01', '2026-03-02'],
    ['last_month', '2026-02-01', '2026-02-28'],
    ['this_year', '2026-01-01', '2026-03-02'],
  ])('%s', (period, from, to) => expect(daysOf(period, now)).toEqual({ from, to }));
});
