import fc from 'fast-check';
import type { PolicyAction, PolicyPattern } from '@portcullis/contracts/policy-file';
import type { Policy } from '../src/policy/policy.ts';

/** Small alphabets make random patterns meet random texts. */
const word = fc.constantFrom('abc', 'cab', 'bca', 'aab', 'BCA', 'a b', 'ab', 'b');
const one = fc.constantFrom('a', 'b', 'c', '[ab]', '[^a]', '[a-c]', '.', '\\w', '\\s', ' ');
const boundedCount = fc.constantFrom('', '?', '{2}', '{0,3}', '{1,4}', '??', '{0,2}?');
const openCount = fc.constantFrom('*', '+', '+?', '{2,}');
const edge = fc.constantFrom('', '', '', '\\b', '\\B', '^', '$', '(?=a)', '(?!b)', '(?<=c)', '(?<!a)', '(?!a{2})');

const repeated = (count: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(one, count).map(([char, times]) => `${char}${times}`),
    fc.tuple(word, word, count).map(([a, b, times]) => `(?:${a}|${b})${times}`),
    fc.tuple(word, one, count).map(([a, b, times]) => `(${a}${b}?)${times}`),
  );

const joined = (count: fc.Arbitrary<string>, edges: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 2, arbitrary: word }, repeated(count), edges), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(''));

/** Regular expressions whose matches have a longest length. */
export const boundedRegex = joined(boundedCount, edge);

/** Regular expressions with open repetitions, without lookarounds. */
export const openRegex = joined(fc.oneof(boundedCount, openCount), fc.constantFrom('', '', '\\b', '\\B', '^', '$'));

export const flags = fc.constantFrom('', 'i', 'm', 'is', 'im');

/** Texts that random patterns match in many places. */
export const patternText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('a', 'b', 'c', 'abc', 'cab', 'aab', 'A', 'BCA', ' ', '\n', 'a b', 'x', 'é', '😀'), {
      maxLength,
    })
    .map((parts) => parts.join(''));

/** Policy with one rule per pattern. Redaction reports every match, where other actions stop counting. */
export const policyOf = (patterns: readonly PolicyPattern[], action: PolicyAction = 'redact'): Policy => ({
  name: 'random',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: patterns.map((pattern, index) => ({
    id: `rule-${index}`,
    name: `Rule ${index}`,
    severity: 'High',
    enabled: true,
    patterns: [pattern],
    action,
  })),
});
