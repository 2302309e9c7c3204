import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { forecastSpending, type ForecastInput } from './forecast.ts';

const usd = 1_000_000;
/** Ten days into a month of thirty. */
const input: ForecastInput = {
  now: new Date('2026-06-11T00:00:00Z'),
  since: new Date('2026-06-01T00:00:00Z'),
  monthEnd: new Date('2026-07-01T00:00:00Z'),
  spentMicroUsd: 50 * usd,
  budgetMicroUsd: 100 * usd,
  warningThreshold: 0.8,
};

describe('forecastSpending', () => {
  test('carries the average day on to the end of the month', () => {
    expect(forecastSpending(input)).toEqual({
      dailyAverageMicroUsd: 5 * usd,
      daysRemaining: 20,
      projectedTotalMicroUsd: 150 * usd,
      projectedOverrunMicroUsd: 50 * usd,
      exhaustion: new Date('2026-06-21T00:00:00Z'),
      recommendations: [
        'At this pace the budget is spent on 2026-06-21',
        'Look at the breakdown by model and user group for what costs most, and move it to cheaper models',
      ],
    });
  });

  test('counts the days since a reset', () => {
    const forecast = forecastSpending({ ...input, since: new Date('2026-06-06T00:00:00Z'), spentMicroUsd: 5 * usd });
    expect(forecast).toMatchObject({
      dailyAverageMicroUsd: usd,
      projectedTotalMicroUsd: 25 * usd,
      projectedOverrunMicroUsd: 0,
      exhaustion: null,
      recommendations: ['Spending stays within the budget at this pace'],
    });
  });

  test('takes the first hours of a month for a whole day', () => {
    const forecast = forecastSpending({ ...input, now: new Date('2026-06-01T01:00:00Z'), spentMicroUsd: usd });
    expect(forecast).toMatchObject({ dailyAverageMicroUsd: usd, daysRemaining: 29 });
  });

  test('has no overrun without a budget, and advises one', () => {
    expect(forecastSpending({ ...input, budgetMicroUsd: null })).toMatchObject({
      projectedTotalMicroUsd: 150 * usd,
      projectedOverrunMicroUsd: null,
      exhaustion: null,
      recommendations: ['Set a monthly budget, so that this forecast has something to be held against'],
    });
  });

  test('says of a spent budget that it is spent, and of one past the threshold that it is', () => {
    expect(forecastSpending({ ...input, spentMicroUsd: 100 * usd })).toMatchObject({
      exhaustion: input.now,
      recommendations: ['The budget is spent: raise it, or reset it when the overrun is accepted'],
    });
    const { recommendations } = forecastSpending({ ...input, spentMicroUsd: 81 * usd });
    expect(recommendations.at(-1)).toBe('The warning threshold has been passed');
  });

  test('projects no less than is spent, and an overrun exactly when the budget runs out before the month', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 * usd });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 0, max: 29 * 24 }), (spentMicroUsd, budgetMicroUsd, hours) => {
        const now = new Date(input.since.getTime() + hours * 3_600_000);
        const forecast = forecastSpending({ ...input, now, spentMicroUsd, budgetMicroUsd });
        expect(forecast.projectedTotalMicroUsd).toBeGreaterThanOrEqual(spentMicroUsd);
        // Rounding to a micro-USD may hide an overrun of less than one.
        const runsOut = forecast.exhaustion !== null && forecast.projectedTotalMicroUsd !== budgetMicroUsd;
        expect((forecast.projectedOverrunMicroUsd ?? 0) > 0).toBe(runsOut);
      }),
    );
  });
});
