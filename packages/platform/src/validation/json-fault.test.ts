import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { findJsonFault } from './json-fault.ts';

describe('findJsonFault', () => {
  test.each([
    ['', 1, 1],
    ['abc', 1, 1],
    ['{', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{"a": tru}', 1, 7],
    ['[1,2', 1, 5],
    ['[1 2]', 1, 4],
    ['{"a" 1}', 1, 6],
    ['{"a":1]', 1, 7],
    ['{"a":1}}', 1, 8],
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3],
    ['"no end', 1, 1],
    ['["bad \\x escape"]', 1, 2],
    ['["a\nb"]', 1, 2],
    ['01', 1, 2],
    [',', 1, 1],
    ['[,]', 1, 2],
  ])('%j is wrong at line %i, column %i', (text, line, column) => {
    expect(findJsonFault(text)).toEqual({ line, column });
  });

  test('finds no fault before the end of any cut JSON text', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, cut) => {
        const text = json.slice(0, cut % (json.length + 1));
        const { column } = findJsonFault(text);
        // A cut within a token is told at the token's start, which parses up to there.
        expect(text.length - (column - 1)).toBeLessThanOrEqual(longestToken(text));
      }),
    );
  });

  test('does not overflow on a body of one long string or of deep nesting', () => {
    expect(findJsonFault(`"${'x'.repeat(3_000_000)}`)).toEqual({ line: 1, column: 1 });
    expect(findJsonFault('['.repeat(500_000))).toEqual({ line: 1, column: 500_001 });
  });
});

const longestToken = (text: string): number =>
  Math.max(0, ...(text.match(/"(?:[^"\\]|\\.?)*"?|[^\s[\]{},:"]+/g) ?? []).map((token) => token.length));
