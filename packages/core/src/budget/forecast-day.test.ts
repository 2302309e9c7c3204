import { expect, test } from '@jest/globals';
import { forecastDay } from './forecast-day.ts';

test.each<[time: string, spent: number, projected: number, exhaustion: string | null]>([
  ['06:00', 10, 40, '2026-11-28T12:00:00.000Z'],
  ['12:00', 5, 10, null],
  ['00:01', 1, 25, '2026-11-28T19:01:00.000Z'],
  ['12:00', 0, 0, null],
  ['18:00', 21, 28, '2026-11-28T18:00:00.000Z'],
])('at %s, %d spent of 20 become %d by midnight', (time, spent, projected, exhaustion) => {
  const forecast = forecastDay(new Date(`2026-11-28T${time}:00Z`), spent, 20);
  expect(forecast).toEqual({
    projectedTotalMicroUsd: projected,
    exhaustion: exhaustion === null ? null : new Date(exhaustion),
  });
});
