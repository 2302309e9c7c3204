import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../collections/finish-steps.ts';
import { replaceAllJsonCooperatively, replaceJson } from './replace-json.ts';
import { DuplicateKey } from './visit-json-source.ts';

test.each([
  ['a text', '{"x": 1.50,"a" : "\\"}", "z":[]}', '{"x": 1.50,"a" : 1, "z":[]}'],
  ['a number at the end', '{"a":1e5}', '{"a":1}'],
  ['a list', '{"a":[{"a":"b"},"]"] , "b":2}', '{"a":1 , "b":2}'],
  ['an object', '{"a":{"a":{}}}', '{"a":1}'],
  ['a null', '{"x":{"a":null},"a" :\n null , "c":null}', '{"x":{"a":null},"a" :\n 1 , "c":null}'],
])('%s gives way, and all around it stays', (_, source, expected) => {
  expect(replaceJson(source, ['a'], '1')).toBe(expected);
});

test('the way may lead through objects and lists', () => {
  const source = '{"a":"x","data":[{"a":"y"},{"a":"z"}]}';
  expect(replaceJson(source, ['data', 1, 'a'], '"w"')).toBe('{"a":"x","data":[{"a":"y"},{"a":"w"}]}');
});

test('what is not there is not replaced, and what is there twice is told', () => {
  expect(replaceJson('{"b":{"a":1}}', ['a'], '2')).toBeUndefined();
  expect(() => replaceJson('{"a":1,"a":2}', ['a'], '2')).toThrow(DuplicateKey);
});

const replaceAll = (source: string, ...places: (readonly (string | number)[])[]) =>
  finish(
    replaceAllJsonCooperatively(
      source,
      places.map((path, index) => ({ path, value: String(index) })),
    ),
  );

test('several places give way at once, in any order, and none where one is not there', () => {
  const source = '{"a": 1.50,"b":[{"a":"x"} , {"a":[2]}],"c":{"a":{}}}';
  expect(replaceAll(source, ['c', 'a'], ['a'], ['b', 1, 'a'])).toBe('{"a": 1,"b":[{"a":"x"} , {"a":2}],"c":{"a":0}}');
  expect(replaceAll(source, ['a'], ['d'])).toBeUndefined();
});

test('thousands of places take as many readings as one', () => {
  const keys = Array.from({ length: 50_000 }, (_, index) => `k${index}`);
  const source = JSON.stringify(Object.fromEntries(keys.map((key) => [key, 4_111_111_111_111_111])));
  const replaced = replaceAll(source, ...keys.map((key) => [key]));
  expect(replaced === JSON.stringify(Object.fromEntries(keys.map((key, index) => [key, index])))).toBe(true);
});

test('any value that stands there', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (before, value, after) => {
      const source = JSON.stringify({ before, value, after }, undefined, 1);
      expect(JSON.parse(replaceJson(source, ['value'], '7') ?? '')).toEqual({
        ...(JSON.parse(source) as object),
        value: 7,
      });
    }),
  );
});
