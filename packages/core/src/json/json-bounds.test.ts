import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { checkJsonBounds, jsonBounds, parseBoundedJson, alwaysWithinBounds, TooManyValues } from './json-bounds.ts';
import { NestedTooDeep } from './visit-strings.ts';

const list = (member: string, count: number): string => `[${Array.from({ length: count }, () => member).join()}]`;
const object = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join()}}`;
const { numbers, texts, keys } = jsonBounds;

describe('what is allowed', () => {
  test.each([
    ['numbers', list('1', numbers - 10)],
    ['texts', list('"a"', texts - 1)],
    ['lists', list('[]', texts - 2)],
    ['objects', list('{}', texts - 2)],
    ['keys', object(keys - 1)],
    ['one long text', JSON.stringify({ image: 'a,b:c{[}]'.repeat(1_000_000) })],
    ['a text of quotation marks', JSON.stringify('"\\'.repeat(1_000_000))],
    ['vectors of an embedding', list(list('-0.0123456789', 1_536), 500)],
    ['tokens of 2,048 inputs', list(list('1024', 400), 2_048)],
  ])('%s', (_name, source) => {
    expect(() => checkJsonBounds(source)).not.toThrow();
  });
});

describe('what is more', () => {
  test.each([
    ['numbers', list('1', numbers + 2)],
    ['numbers with blanks around', list(' 1\n', numbers + 2)],
    ['texts', list('"a"', texts + 1)],
    ['lists', list('[]', texts + 1)],
    ['objects', list('{}', texts + 1)],
    ['keys', object(keys + 1)],
    ['keys of many objects', list('{"a":1}', keys + 1)],
    ['half of two kinds and a little', `[${object(keys / 2 + 1)},${list('""', texts / 2 + 1)}]`],
  ])('%s', (_name, source) => {
    expect(() => checkJsonBounds(source)).toThrow(TooManyValues);
  });

  test('levels', () => {
    expect(() => checkJsonBounds('['.repeat(200) + ']'.repeat(200))).toThrow(NestedTooDeep);
  });

  test('is told with what is allowed', () => {
    expect(() => checkJsonBounds(object(keys + 1))).toThrow(
      'JSON may hold 1,000,000 numbers, or 250,000 texts, lists and objects, or 62,500 keys, or a mixture in proportion',
    );
  });
});

test('a value behind the first is left to the parser, which takes neither', () => {
  expect(() => checkJsonBounds(`"a" ${list('"b"', texts + 1)}`)).not.toThrow();
});

test('nothing shorter can be beyond the bounds', () => {
  const shortest = ['[]', '{}', '""', '0', '"":0', '"":[]', '{"":0}', '[0]', '[""]', '{"":""}', '{"":[]}', '[[[]]]'];
  for (const member of shortest) {
    const members = Array.from({ length: Math.floor(alwaysWithinBounds / (member.length + 1)) }, () => member).join();
    const most = member.startsWith('"":') ? `{${members}}` : `[${members}]`;
    expect(() => checkJsonBounds(most)).not.toThrow();
  }
});

test('what is read within bounds is what JSON says', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const source = JSON.stringify(value);
      expect(parseBoundedJson(source)).toEqual(JSON.parse(source));
      expect(() => checkJsonBounds(source, { numbers: 2_000, texts: 2_000, keys: 2_000 })).not.toThrow();
    }),
  );
});

test.each(['', '[', '"', '{"a', ']]', '[1,]', '{"a":}'])('what is no JSON is refused as ever: %s', (source) => {
  expect(() => checkJsonBounds(source)).not.toThrow();
  expect(() => parseBoundedJson(source)).toThrow(SyntaxError);
});
