import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { insertJson } from './insert-json.ts';

test.each([
  ['{"a":[1.0, 2]}', ['a'], 'start', '0', '{"a":[0,1.0, 2]}'],
  ['{"a":[1.0, 2]}', ['a'], 'end', '3', '{"a":[1.0, 2,3]}'],
  ['{"a":[ ]}', ['a'], 'end', '3', '{"a":[ 3]}'],
  ['{"a":1}', [], 'start', '"b":2', '{"b":2,"a":1}'],
  ['{}', [], 'start', '"b":2', '{"b":2}'],
  ['[{"a":{"x":1}}]', [0, 'a'], 'end', '"y":2', '[{"a":{"x":1,"y":2}}]'],
] as const)('%s with a member in %j at its %s', (source, into, at, member, outcome) => {
  expect(insertJson(source, { into, at, member })).toBe(outcome);
});

test('nothing is added where there is no object or list', () => {
  expect(insertJson('{"a":"text"}', { into: ['a'], at: 'start', member: '1' })).toBeUndefined();
  expect(insertJson('7', { into: [], at: 'start', member: '1' })).toBeUndefined();
});

test('a value takes a member regardless of what stands around and in it', () => {
  expect(insertJson(' {\n} ', { into: [], at: 'start', member: '"a":1' })).toBe(' {"a":1\n} ');
  expect(insertJson('[ 1 ]\n', { into: [], at: 'end', member: '2' })).toBe('[ 1 ,2]\n');
});

test('for any value, it has one member more and is otherwise the same', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom('start', 'end'), (list, at) => {
      const source = JSON.stringify({ list, more: list }, undefined, 1);
      const value = JSON.parse(insertJson(source, { into: ['list'], at, member: '"new"' }) ?? '') as object;
      const plain = JSON.parse(source) as { list: unknown[]; more: unknown };
      expect(value).toEqual({ ...plain, list: at === 'start' ? ['new', ...plain.list] : [...plain.list, 'new'] });
    }),
  );
});
