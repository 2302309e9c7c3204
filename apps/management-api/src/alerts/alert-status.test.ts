import { describe, expect, test } from '@jest/globals';
import { alertStatuses } from '@portcullis/contracts/records';
import * as fc from 'fast-check';
import { nextStatuses, parseAlertStatus } from './alert-status.ts';

describe('nextStatuses', () => {
  test.each([
    ['new', ['acknowledged', 'in_progress', 'resolved', 'false_positive']],
    ['acknowledged', ['in_progress', 'resolved', 'false_positive']],
    ['in_progress', ['resolved', 'false_positive']],
    ['false_positive', ['resolved']],
    ['resolved', []],
  ] as const)('%s leads to %j', (from, to) => {
    expect(nextStatuses(from)).toEqual(to);
  });

  test('no way of any length leads back', () => {
    fc.assert(
      fc.property(fc.constantFrom(...alertStatuses), fc.infiniteStream(fc.nat()), (start, choices) => {
        const visited = [start];
        for (const choice of choices) {
          const options = nextStatuses(visited.at(-1) ?? start);
          const next = options[choice % Math.max(1, options.length)];
          if (next === undefined) break;
          visited.push(next);
        }
        expect(new Set(visited).size).toBe(visited.length);
      }),
    );
  });
});

test.each([
  ['new', 'new'],
  ['open', 'new'],
  ['Investigating', 'in_progress'],
  [' RESOLVED ', 'resolved'],
  ['dismissed', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
])('the status %j is read as %j', (text, status) => {
  expect(parseAlertStatus(text)).toBe(status);
});
