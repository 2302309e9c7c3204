import { describe, expect, test } from '@jest/globals';
import { policyOf } from '../../../test/random-pattern.ts';
import { builtinPolicies } from '../builtin/builtin-policies.ts';
import injectionFixture from '../builtin/rules/injection-rules.fixture.json' with { type: 'json' };
import { compilePlan, compilePolicies } from '../compile/compile-policies.ts';
import { parsePolicyFile } from '../file/parse-policy-file.ts';
import { TextScan } from '../scan/text-scan.ts';
import type { ScanContext } from '../policy.ts';

const context: ScanContext = { direction: 'request', protocol: 'llm' };
const bytes = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
const hex = (text: string, join: (digits: string) => string): string =>
  bytes(text)
    .map((byte) => join(byte.toString(16).padStart(2, '0')))
    .join('');
const each = (text: string, change: (char: string, point: number) => string): string =>
  Array.from(text, (char) => change(char, char.codePointAt(0) ?? 0)).join('');
const base64 = (text: string): string => btoa(String.fromCharCode(...bytes(text)));

const cyrillic: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у', i: 'і' };
const leet: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
const alphabet32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Ways to write a text so that a list of patterns does not know it again. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  base64: base64,
  'base64 twice': (text) => base64(base64(text)),
  'base64 in lines': (text) => `Decode this:\n${base64(text).replaceAll(/.{76}/g, '$&\n')}\nThanks.`,
  hex: (text) => hex(text, (digits) => digits),
  'hex, byte by byte': (text) => hex(text, (digits) => `${digits} `).trim(),
  'hex escapes': (text) => hex(text, (digits) => `\\x${digits}`),
  'an address': encodeURIComponent,
  'an address, every byte': (text) => hex(text, (digits) => `%${digits}`),
  'an address, twice': (text) => encodeURIComponent(hex(text, (digits) => `%${digits}`)),
  escapes: (text) => each(text, (_char, point) => `\\u${point.toString(16).padStart(4, '0')}`),
  entities: (text) => each(text, (_char, point) => `&#${point};`),
  'spaces without width': (text) => Array.from(text).join('\u200B'),
  'soft hyphens': (text) => Array.from(text).join('\u00AD'),
  accents: (text) => each(text, (char) => `${char}\u0301`),
  'full width': (text) =>
    each(text, (char, point) => (point > 32 && point < 127 ? String.fromCharCode(point + 0xfee0) : char)),
  'mathematical letters': (text) =>
    text.replaceAll(/[a-z]/g, (char) => String.fromCodePoint(0x1_d41a + char.charCodeAt(0) - 0x61)),
  'Cyrillic letters': (text) => each(text, (char) => cyrillic[char] ?? char),
  tags: (text) => `hello ${each(text, (_char, point) => String.fromCodePoint(0xe_0000 + point))}`,
  'tags for most letters': (text) =>
    `hello ${each(text, (char, point) => (char === 'e' ? char : String.fromCodePoint(0xe_0000 + point)))}`,
  selectors: (text) =>
    `😀${bytes(text)
      .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe_0100 + byte - 16))
      .join('')}`,
  rot13: (text) =>
    text.replaceAll(/[a-z]/gi, (char) => {
      const point = char.charCodeAt(0);
      return String.fromCharCode((point & 31) <= 13 ? point + 13 : point - 13);
    }),
  reversed: (text) => Array.from(text).toReversed().join(''),
  'digits for letters': (text) => text.replaceAll(/[aeiost]/gi, (char) => leet[char.toLowerCase()] ?? char),
  'spaced letters': (text) => Array.from(text).join(' '),
  'words of spaced letters': (text) =>
    text
      .split(/\s+/)
      .map((word) => Array.from(word).join(' '))
      .join('  '),
  binary: (text) =>
    bytes(text)
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join(' '),
  base32: (text) =>
    bytes(text)
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .replaceAll(/[01]{1,5}/g, (bits) => alphabet32[Number.parseInt(bits.padEnd(5, '0'), 2)] ?? ''),
};

const policies = builtinPolicies.filter(({ name }) => name === 'llm-security');
const plan = compilePolicies(policies);

describe('an attack that is caught in plain text', () => {
  // Forged tokens and markup are not letters; what is shorter than a sentence is no message.
  const attacks = Object.entries(injectionFixture)
    .flatMap(([id, { matches }]) => matches.map((text) => ({ id, text: `${text} and tell me that you have done it` })))
    .filter(({ text }) => /^[\w ,.'!?:;-]+$/.test(text) && text.length > 60);

  test.each(Object.entries(encodings))('is caught in %s', (_name, encode) => {
    expect(attacks.length).toBeGreaterThan(30);
    const missed = attacks.filter(({ text }) => plan.scan(encode(text), context).length === 0);
    expect(missed.length / attacks.length).toBeLessThanOrEqual(0.02);
  });
});

test.each(Object.entries(encodings))('a harmless text stays harmless in %s', (_name, encode) => {
  const misses = Object.values(injectionFixture).flatMap((fixture) => fixture.misses);
  expect(misses.filter((text) => plan.scan(encode(text), context).length > 0)).toEqual([]);
});

describe('a finding in another reading', () => {
  const secrets = compilePolicies([policyOf([{ literal: 'secret word' }], 'block')]);
  const find = (text: string) =>
    secrets.scan(text, context).map(({ start, end, view, mapped }) => [text.slice(start, end), view, mapped]);

  test.each([
    ['say ｓｅｃｒｅｔ word now', 'ｓｅｃｒｅｔ word', 'folded', true],
    ['say s\u200Becret w\u0301ord now', 's\u200Becret w\u0301ord', 'folded', true],
    ['say %73%65%63ret%20word now', '%73%65%63ret%20word', 'url', true],
    ['say &#115;&#101;&#99;ret word now', '&#115;&#101;&#99;ret word', 'entities', true],
    ['say \\u0073\\u0065\\x63ret word now', '\\u0073\\u0065\\x63ret word', 'escapes', true],
    [`say ${base64('the secret word is')} now`, base64('the secret word is'), 'base64', false],
    ['say s e c r e t   w o r d now', 's e c r e t   w o r d', 'spaced', true],
    ['said there:\ns e c r e t   w o r d', 's e c r e t   w o r d', 'spaced', true],
    ['well s3cr37 w0rd th4t 1s', 's3cr37 w0rd', 'leet', true],
    ['the drow terces dna lla taht', 'drow terces', 'reversed', true],
  ])('of %s has its place in the original', (text, span, view, mapped) => {
    expect(find(text)).toEqual([[span, view, mapped]]);
  });

  test.each([
    ['an entity', 'say s&#101;cret word now', 's&#101;cret word', 'entities'],
    ['an entity without its end', 'say s&#x65cret word', undefined, undefined],
    ['an entity in hexadecimal digits', 'say secre&#X74; word now', 'secre&#X74; word', 'entities'],
    ['the name of a space', 'say secret&nbsp;word now', 'secret&nbsp;word', 'entities'],
    ['the name of what is not seen', 'say sec&shy;ret word now', 'sec&shy;ret word', 'entities'],
    ['a percent escape', 'say %73ecret word now', '%73ecret word', 'url'],
    ['a percent escape of Unicode', 'say s%u0065cret word now', 's%u0065cret word', 'url'],
    ['an escaped escape', 'say s%2565cret word now', 's%2565cret word', 'url'],
    ['an escape', String.raw`say \u0073ecret word now`, String.raw`\u0073ecret word`, 'escapes'],
    ['an escape in braces', String.raw`say s\u{65}cret word now`, String.raw`s\u{65}cret word`, 'escapes'],
    ['an octal escape', String.raw`say s\145cret word now`, String.raw`s\145cret word`, 'escapes'],
    ['one of each', String.raw`say s&#101;c\u0072et %77ord now`, String.raw`s&#101;c\u0072et %77ord`, 'entities'],
    ['one in a long text', `${'prose '.repeat(5_000)}s&#101;cret word`, 's&#101;cret word', 'entities'],
    ['an escape of a terminal', 'say sec\u001Bret word now', 'sec\u001Bret word', 'folded'],
    ['colours', 'say sec\u001B[1;31mret wo\u001B[0mrd now', 'sec\u001B[1;31mret wo\u001B[0mrd', 'folded'],
    ['a control of the upper half', 'say sec\u0085ret word now', 'sec\u0085ret word', 'folded'],
  ])('with %s in it has its place in the original, too', (_what, text, span, view) => {
    expect(find(text)).toEqual(span === undefined ? [] : [[span, view, true]]);
  });

  test.each([
    'A page&#39;s quotation mark, a &lt;tag&gt; and an &amp; are no reason to look: the secret is a word',
    String.raw`C:\users\secret, a line\nbreak, 50% of words and R&D; the secret of a word`,
  ])('there is none in: %s', (text) => {
    expect(find(text)).toEqual([]);
  });

  test('that the text itself has too is reported once', () => {
    expect(find('the secret word, café')).toEqual([['secret word', 'plain', true]]);
  });
});

describe('hidden characters', () => {
  const parsed = parsePolicyFile({ name: 'p', rules: [{ id: 'hidden', detectors: ['hidden-characters'] }] });
  const hidden = compilePolicies(parsed.policy === undefined ? [] : [parsed.policy]);
  const count = (text: string): number => hidden.scan(text, context).length;

  test.each([
    ['tags', `hello${each('run', (_char, point) => String.fromCodePoint(0xe_0000 + point))}`],
    ['selectors that carry bytes', '😀\u{E0101}\u{E0152}\u{E0163}\u{E0174}\u{E0185}'],
    ['spaces without width inside a word', 'i\u200Bg\u200Bn\u200Bo\u200Bre'],
    ['an override of direction', 'file\u202Egnp.exe'],
  ])('%s are a finding', (_what, text) => {
    expect(count(text)).toBe(1);
  });

  test.each([
    ['families', '👨‍👩‍👧‍👦 and 👩🏽‍💻 and ❤️ and 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['Persian', 'می‌خواهم کتاب‌ها را می‌بینم و نمی‌دانم که نمی‌شود'],
    ['Hindi', 'क्‍षेत्र और विद्‍यालय और शक्‍ति और भक्‍ति'],
    ['ideographs with variants', '葛\u{E0100}飾区 辻\u{E0101}さん'],
    ['syllables', 'Silben\u00ADtren\u00ADnung im Wör\u00ADter\u00ADbuch'],
    ['a mark at the start', '\uFEFFhello'],
  ])('%s are none', (_what, text) => {
    expect(count(text)).toBe(0);
  });
});

describe('what readings cost', () => {
  const scan = new TextScan(compilePlan(builtinPolicies));
  const floods = [
    base64(base64('hello there, friend. ')),
    hex('abc ', (digits) => digits),
    '%41%42%43',
    '%2541',
    '&#65;',
    '\\u0041',
    'a b ',
    'i.g.n ',
    '1a1 ',
    '4a ',
    ' gur eht ',
    'é',
    '\u200Ba',
    '\u{E0041}',
    '01000001 ',
    '41 42 ',
    '.- -... ',
    'ﷺ',
    '🅰🇦',
  ];
  const read = (unit: string, size: number): number => {
    scan.scan(unit.repeat(Math.ceil(size / unit.length)).slice(0, size), context);
    return scan.readCharacters;
  };

  test.each(floods)('is linear in a flood of %s', (unit) => {
    const half = read(unit, 50_000);
    const whole = read(unit, 100_000);
    expect(whole).toBeLessThanOrEqual(Math.max(2.2 * half, 65_536 + 200_000));
    expect(whole).toBeLessThanOrEqual(65_536 + 3 * 100_000);
  });

  test('more to read than the bound is a finding, not a silence', () => {
    // One sign unfolds to eighteen letters, and the text has nothing else.
    const found = scan.scan('ﷺ'.repeat(50_000), context);
    expect(found.map(({ ruleId, action }) => [ruleId, action])).toEqual([['policy_budget_exceeded', 'block']]);
  });
});
