import { expect, test } from '@jest/globals';
import { replaceNull } from './replace-null.ts';

test.each([
  ['{"a":null}', ['a'], '{"a":1}'],
  ['{"b":1.0, "a" :\n null , "c":null}', ['a'], '{"b":1.0, "a" :\n 1 , "c":null}'],
  ['{"x":{"a":null},"a":null}', ['a'], '{"x":{"a":null},"a":1}'],
  ['{"x":[{"a":null}]}', ['x', 0, 'a'], '{"x":[{"a":1}]}'],
] as const)('%s at %j', (source, path, expected) => expect(replaceNull(source, path, '1')).toBe(expected));

test.each(['{"a":0}', '{"b":null}', '{"a":"null"}', '{"a":[null]}'])('nothing is replaced in %s', (source) => {
  expect(replaceNull(source, ['a'], '1')).toBeUndefined();
});
