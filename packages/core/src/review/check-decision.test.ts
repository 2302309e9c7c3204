import { expect, test } from '@jest/globals';
import { checkDecision } from './check-decision.ts';

const change = (status: Parameters<typeof checkDecision>[1]['status'], id = 1) => ({ id, status });

test.each([
  ['approved', 'pending', true],
  ['approved', 'rejected', true],
  ['approved', 'approved', false],
  ['approved', 'recorded', false],
  ['rejected', 'pending', true],
  ['rejected', 'rejected', false],
  ['rejected', 'reverted', false],
] as const)('%s after %s: %s', (decision, status, expected) => {
  const refusal = checkDecision(decision, change(status), undefined);
  expect(refusal).toBe(expected ? undefined : `The change 1 is ${status}: nothing is to be decided about it`);
});

test('a change that another one followed is not decided any more', () => {
  expect(checkDecision('approved', change('rejected'), change('pending', 2))).toContain('followed by another one');
  expect(checkDecision('approved', change('pending'), change('pending'))).toBeUndefined();
});
