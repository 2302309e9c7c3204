import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { replaceJson } from './replace-json.ts';
import { RepeatedKey } from './visit-json-source.ts';

test.each([
  ['a text', '{"x": 1.50,"a" : "\\"}", "z":[]}', '{"x": 1.50,"a" : null, "z":[]}'],
  ['a number at the end', '{"a":1e5}', '{"a":null}'],
  ['a list', '{"a":[{"a":"b"},"]"] , "b":2}', '{"a":null , "b":2}'],
  ['an object', '{"a":{"a":{}}}', '{"a":null}'],
  ['a null', '{ "a": null }', '{ "a": null }'],
])('%s gives way, and all around it stays', (_, source, expected) => {
  expect(replaceJson(source, ['a'], 'null')).toBe(expected);
});

test('the way may lead through objects and lists', () => {
  const source = '{"a":"x","data":[{"a":"y"},{"a":"z"}]}';
  expect(replaceJson(source, ['data', 1, 'a'], '"w"')).toBe('{"a":"x","data":[{"a":"y"},{"a":"w"}]}');
});

test('what is not there is not replaced, and what is there twice is told', () => {
  expect(replaceJson('{"b":{"a":1}}', ['a'], '2')).toBeUndefined();
  expect(() => replaceJson('{"a":1,"a":2}', ['a'], '2')).toThrow(RepeatedKey);
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
