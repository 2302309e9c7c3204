import { describe, expect, test } from '@jest/globals';
import { assessBudget, decideBudget } from './budget-status.ts';

const rule = { budgetMicroUsd: 100_000_000, warningThreshold: 0.8 };

describe('assessBudget', () => {
  test.each([
    [0, 100_000_000, 0, false, false],
    [75_000_000, 25_000_000, 75, false, false],
    [79_999_999, 20_000_001, 79.99, false, false],
    [80_000_000, 20_000_000, 80, false, true],
    [99_999_999, 1, 99.99, false, true],
    [100_000_000, 0, 100, true, true],
    [130_000_000, 0, 100, true, true],
  ])('of %d spent', (spent, remainingMicroUsd, percent, isExceeded, isWarningThreshold) => {
    const { utilizationPercent, ...rest } = assessBudget(rule, spent);
    expect(rest).toEqual({ remainingMicroUsd, isExceeded, isWarningThreshold });
    expect(utilizationPercent).toBeCloseTo(percent, 9);
  });

  test('has nothing to tell without a budget, and no mercy with one of nothing', () => {
    expect(assessBudget({ ...rule, budgetMicroUsd: null }, 1e12)).toEqual({
      remainingMicroUsd: null,
      utilizationPercent: 0,
      isExceeded: false,
      isWarningThreshold: false,
    });
    expect(assessBudget({ ...rule, budgetMicroUsd: 0 }, 0)).toMatchObject({
      isExceeded: true,
      utilizationPercent: 100,
    });
  });
});

describe('decideBudget', () => {
  test.each([
    [79_999_999, false, 'pass'],
    [80_000_000, false, 'warn'],
    [80_000_000, true, 'block'],
    [100_000_000, false, 'block'],
    [100_000_000, true, 'block'],
  ])('%d spent with block at threshold %s: %s', (spent, blockAtThreshold, verdict) =>
    expect(decideBudget({ ...rule, blockAtThreshold }, spent)).toBe(verdict),
  );

  test('without a budget everything passes', () =>
    expect(decideBudget({ ...rule, budgetMicroUsd: null, blockAtThreshold: true }, 1e15)).toBe('pass'));
});
