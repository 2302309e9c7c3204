import { describe, expect, test } from '@jest/globals';
import type { PolicyPattern } from '@portcullis/contracts/policy-file';
import { analysePattern } from './analyse-pattern.ts';
import type { AnalysedPattern } from './analysed-pattern.ts';

const analysed = (pattern: PolicyPattern): AnalysedPattern => {
  const { pattern: answer, reason } = analysePattern(pattern);
  if (answer === undefined) throw new Error(reason);
  return answer;
};
const literals = (pattern: PolicyPattern) => {
  const found = analysed(pattern).literals;
  return found && { texts: found.texts.map((text) => text.toLowerCase()).toSorted(), before: found.before };
};

/** As rules in many languages are written: words that begin with each other, with distances between them. */
const joined = (words: string): string => `(?:${words})`;

describe('analysePattern', () => {
  test.each([
    ['ghp_[a-z]{4}', ['ghp_'], 0, 0],
    ['gh[pos]_[a-z]{4}', ['gho_', 'ghp_', 'ghs_'], 0, 0],
    ['\\b(?:ignore|disregard)d?\\b.{0,9}', ['disregard', 'ignore'], 0, 0],
    ['[0-9]{2,4}-secret-[0-9]', ['00-secr', '000-se', '0000-'], 0, 0],
    ['(?:a{3}|b{3})x?', ['aaa', 'bbb'], 0, 0],
    ['x{2,5}yz', ['xxxxx', 'xxxxyz', 'xxxyz', 'xxyz'], 0, 0],
    ['a{2,9}y', undefined, 0, 0],
    ['ab (?:cde\\w{3}|fgh\\d+)', ['ab cde', 'ab fgh0'], 0, 0],
    ['\\d{3}-\\d{2}', ['000-0'], 0, 0],
    ['new\\tline', ['new line'], 0, 0],
    ['\\w{1,8}@\\w', ['@'], 1, 8],
    ['\\d{16}', ['000000'], 0, 0],
    ['\\d\\w{9}', undefined, 0, 0],
    ['(?:abc)?def[0-9]', ['abcdef0', 'def0'], 0, 0],
    ['colou?r', ['color', 'colour'], 0, 0],
    ['(?=abc)\\d\\w', undefined, 0, 0],
  ])('finds the texts that %s requires', (regex, texts, min, max) => {
    expect(literals(regex)).toEqual(texts && { texts, before: { min, max } });
  });

  test('asks for a second text where the first one is common', () => {
    const coRequired = (regex: string) => analysed({ regex, flags: 'i' }).literals?.coRequired?.texts;
    expect(coRequired('\\byour .{0,40}system prompt')?.map((text) => text.toLowerCase())).toEqual(['system pr']);
    expect(coRequired('\\bghp_zqx_[a-z0-9]{36} and so on')).toBeUndefined();
    expect(coRequired('\\byour .{0,200}the')).toBeUndefined();
  });

  test('takes brackets in classes and behind backslashes for no groups', () => {
    expect(analysePattern(`${'[(]\\('.repeat(60)}a`).reason).toBeUndefined();
  });

  test('a class without an end is no expression, however much is escaped in it', () => {
    expect(analysePattern(`[${'\\a'.repeat(400)}`).reason).toMatch(/is not a regular expression/);
  });

  test('takes a literal as it stands, in any case', () => {
    expect(literals({ literal: 'rm (*' })).toEqual({ texts: ['rm (*'], before: { min: 0, max: 0 } });
  });

  test.each([
    ['abc', 3, 0, 0],
    ['a{2,5}(?:b|cde)?', 8, 0, 0],
    ['\\babc\\b', 3, 1, 1],
    ['(?<!ab)c(?=d{3})', 1, 2, 3],
    ['ab+', Infinity, 0, 0],
  ])('measures %s', (regex, maxLength, left, right) => {
    expect(analysed(regex)).toMatchObject({ maxLength, left, right, bounded: maxLength !== Infinity });
  });

  test.each([
    ['abc[0-9]{1,20}', 'native'],
    ['ignore\\s+(?:all\\s+)?previous\\s+instructions', 'native'],
    ['password\\s*[:=]\\s*\\S+', 'native'],
    [
      `${joined('ignore|ignorer|forget|olvida|vergiss')}.{0,40}${joined('all|alle|alla|the|my')}.{0,40}${joined('rules|reglas|regeln')}`,
      'native',
    ],
    [`${joined('rules|reglas')}.{0,200}${joined('all|alle')}.{0,200}${joined('the|them')}.{0,200}x`, 'linear'],
    ['(a+)+b', 'linear'],
    ['foo(?:a|a)*b', 'linear'],
    ['.*foo.*bar.*baz', 'linear'],
    ['\\S+@\\S+', 'linear'],
  ] as const)('runs %s on the %s engine', (regex, engine) => {
    expect(analysed(regex).engine).toBe(engine);
  });

  test.each([
    ['(a)\\1', 'backreference'],
    ['x*', 'empty'],
    ['\\b', 'empty'],
    ['(?=.*a)b', 'lookarounds'],
    ['(?:a+)+(?!b)c', 'lookaround'],
    ['a{1,2000}', '1000 times'],
    ['(?:a{500}){500}', '20000 characters'],
    [`${'('.repeat(60)}a${')'.repeat(60)}`, '50 deep'],
    ['(?<=a(?=b))b', 'lookbehind'],
    ['(?:a?){100}[a-z]{100}', 'a fixed text of three characters'],
    ['a{1,200}a{1,200}a{1,200}b', 'a fixed text of three characters'],
    ['a(', 'Unterminated'],
    ['(?<n>a)(?<n>b)', 'Duplicate'],
  ])('refuses %s', (regex, reason) => {
    expect(analysePattern(regex).reason).toContain(reason);
  });
});
