import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { cutIntoPeriods } from './day-window.ts';

test.each([
  [{}, [['', '']]],
  // 2026-10-26 and 2026-11-16 are Mondays.
  [
    { from: '2026-10-23' },
    [
      ['2026-10-23', '2026-10-26'],
      ['W2026-10-26', 'X'],
    ],
  ],
  [{ from: '2026-10-26' }, [['W2026-10-26', 'X']]],
  [
    { to: '2026-11-18' },
    [
      ['W', 'W2026-11-16'],
      ['2026-11-16', '2026-11-18'],
    ],
  ],
  [{ from: '2026-11-17', to: '2026-11-20' }, [['2026-11-17', '2026-11-20']]],
  [{ from: '2026-11-14', to: '2026-11-18' }, [['2026-11-14', '2026-11-18']]],
])('%j is made of %j', (days, periods) => {
  expect(cutIntoPeriods(days)).toEqual(periods.map(([from, to]) => ({ from, to })));
});

test('every day of a range is in one period', () => {
  const day = fc.integer({ min: 0, max: 400 }).map((number) => new Date(Date.UTC(2026, 0, number)));
  const text = (date: Date) => date.toISOString().slice(0, 10);
  const week = (date: Date) => `W${text(new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000))}`;
  fc.assert(
    fc.property(fc.uniqueArray(day, { minLength: 2, maxLength: 2, selector: Number }), day, (ends, date) => {
      const [from = '', to = ''] = ends.map(text).toSorted();
      const hits = cutIntoPeriods({ from, to }).filter((period) =>
        [text(date), week(date)].some((key) => period.from <= key && key < period.to),
      );
      expect(hits.length).toBe(from <= text(date) && text(date) < to ? 1 : 0);
    }),
  );
});
