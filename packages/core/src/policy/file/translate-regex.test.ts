import { describe, expect, test } from '@jest/globals';
import { translateRegex } from './translate-regex.ts';

describe('translateRegex', () => {
  test.each([
    ['(?i)abc', '', 'abc', 'i'],
    ['(?si)a.b', 'm', 'a.b', 'ims'],
    ['(?P<year>\\d{4})', '', '(?<year>\\d{4})', ''],
    ['\\Aabc\\z', '', '^abc$', ''],
    ['\\Aabc\\z', 'm', '(?<![^])abc(?![^])', 'm'],
    ['[[:alpha:]_]+[^[:digit:]]', '', '[A-Za-z_]+[^0-9]', ''],
    ['\\x{1F600}+', '', '\\u{1F600}+', 'u'],
    ['\\p{L}+', 'i', '\\p{L}+', 'iu'],
    ['[(?P<]', '', '[(?P<]', ''],
    ['\\[(?i)', '', '\\[(?i)', ''],
  ])('reads %s with flags "%s"', (source, flags, regex, translated) => {
    expect(translateRegex(source, flags)).toEqual({ regex, flags: translated });
  });

  test.each(['\\hello', '[\\A]', '\\Qa.b\\E', 'a\\Z', '[[:nope:]]', '\\Kx'])(
    'refuses %s, which would mean something else here',
    (source) => {
      expect(translateRegex(source, '')).toEqual({ reason: expect.stringContaining('knows no') });
    },
  );
});
