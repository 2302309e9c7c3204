import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundedRegex, flags, openRegex, patternText, policyOf } from '../../test/random-pattern.ts';
import { compilePolicies } from './compile-policies.ts';
import { analysePattern } from './pattern/analyse-pattern.ts';

const context = { direction: 'request', protocol: 'llm' } as const;

const scanPlaces = (regex: string, flags: string, text: string) =>
  compilePolicies([policyOf([{ regex, flags }])])
    .scan(text, context)
    .map(({ start, end }) => [start, end]);

const nativePlaces = (regex: string, flags: string, text: string) =>
  Array.from(text.matchAll(new RegExp(regex, `${flags}g`)), (match) => [match.index, match.index + match[0].length]);

describe('TextScan', () => {
  test.each([
    ['bounded patterns', boundedRegex],
    ['open patterns', openRegex],
  ])('finds with %s what matchAll finds', (_kind, regexes) => {
    fc.assert(
      fc.property(regexes, flags, patternText(30), (regex, flags, anyText) => {
        const { pattern } = analysePattern({ regex, flags });
        fc.pre(pattern !== undefined);
        // The linear engine takes a character beyond the basic plane as one, JavaScript as two.
        const text = pattern?.bounded && pattern.engine === 'native' ? anyText : anyText.replaceAll('😀', '');
        expect(scanPlaces(regex, flags, text)).toEqual(nativePlaces(regex, flags, text));
      }),
      { numRuns: 500 },
    );
  });
});
