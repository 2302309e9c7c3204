import { describe, expect, test } from '@jest/globals';
import { judgePattern } from './judge-pattern.ts';

const judge = ({ source, flags }: RegExp) => judgePattern(source, flags)?.kind;

describe('found:', () => {
  test.each([
    /X+$/,
    /\w+@/,
    /[?#].*$/,
    /<!--[^]*?-->/,
    /(?<=a.*)b/,
    /(?=\w+)\w/g,
    /(?:a*b|a)/g,
    /\s+(?=xy)/,
    /\beyJ[\w-]{8,}\.[\w-]+/,
    /^\s+x|\s+x$/m,
    /[^"]{0,400}"/,
    /(?:\.|[^.]x)+!/,
  ])('%s begins anew at every place', (pattern) => {
    expect(judge(pattern)).toBe('from every place');
  });

  test.each([
    /^\s*(.*?)\s*$/,
    /^[A-Za-z]\w*:\s*(.*?)\s*$/,
    /^a.*b.*c/,
    /^[a-z]+[0-9]*[a-z]+!/,
    /^.*,.*;$/s,
    /^(\w+)=\1\w*;/,
    /^\d{0,200}\d{0,200}x/,
  ])('%s divides a part between two', (pattern) => {
    expect(judge(pattern)).toBe('in several ways');
  });

  test.each([/^(a+)+b/, /^(a|a)*b/, /^(?:a*)*b/, /^(?:a?b?)*c/, /\[(?:\\[^]|[^\]])*\]/, /^(?:read[\w-]{0,30}){1,8}\]/])(
    '%s doubles',
    (pattern) => {
      expect(judge(pattern)).toBe('doubled');
    },
  );
});

describe('in proportion:', () => {
  test.each([
    /\s+/g,
    /^\s+x/,
    /(?<!\s)\s+$/,
    /"[^"]*"/,
    /"[^"]*\\$/,
    /\b\w+\b/g,
    /\b\w+:/,
    /\w+\b/,
    /(?:%[0-9a-f]{2})+/gi,
    /[0-9a-f]{32}z/,
    /[^"]{0,40}"/,
    /^(?:[^"\\]|\\.)*"/,
    /^[^@]+@[^@.]+\.[^@]+$/,
    /^[a-z]+(?:-[a-z]+)*$/,
    /^.*$/gm,
    /a(?:b*c)+/,
    /(?<![\w-])eyJ[\w-]{8,}\./,
    /(?:[.-]{1,5} )+[.-]{1,5}/g,
    /^(["'])(.*)\1$/,
    /\w+@/y,
    /\p{L}+/u,
  ])('%s', (pattern) => {
    expect(judge(pattern)).toBeUndefined();
  });
});

test('a finding shows what to try', () => {
  expect(judgePattern('x[ab]+y', '')).toBeUndefined();
  expect(judgePattern('a[ab]+y', '')?.says).toMatch(/from every place .*: try "aaa" repeated/);
});

test('what is too large to be gone through is no harmless pattern', () => {
  expect(judgePattern('(?:abcdefgh){8}'.repeat(400), '')?.kind).toBe('unknown');
});
