import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { rejectDuplicateKeys, rejectDuplicateKeysCooperatively } from './reject-duplicate-keys.ts';
import { DuplicateKey } from './visit-json-source.ts';

const check = (source: string) => rejectDuplicateKeys(source, JSON.parse(source));

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"a" : 1,\n"a"\t:\r2}',
  '[{"b":{"content":"harmless","content":"\\": not"}}]',
  '{"__proto__":1,"__proto__":{}}',
  '{"":0,"":1}',
  '{"x":": y","x":1}',
])('refuses %s', (source) => {
  expect(() => check(source)).toThrow(DuplicateKey);
});

test('takes what one writer wrote, spaced or not', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
      expect(() => check(JSON.stringify(value, null, indent))).not.toThrow();
    }),
  );
});

test('finds a key that is put in once more, wherever that is', () => {
  const keys = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, noNullPrototype: true });
  fc.assert(
    fc.property(keys, fc.jsonValue({ maxDepth: 1 }), (object, extra) => {
      const [key] = Object.keys(object);
      const source = `[0,{${JSON.stringify(key)} :${JSON.stringify(extra)},${JSON.stringify(object).slice(1)}]`;
      expect(() => check(source)).toThrow(DuplicateKey);
    }),
  );
});

test('does not mind depth', () => {
  const depth = 50_000;
  expect(() => check('['.repeat(depth) + ']'.repeat(depth))).not.toThrow();
});

describe('in steps', () => {
  const steps = (source: string): number => [...rejectDuplicateKeysCooperatively(source, JSON.parse(source))].length;

  test.each([
    ['numbers', `{"a":[${'1,'.repeat(100_000)}1]}`, 6],
    ['texts', `{"a":[${'"b",'.repeat(100_000)}1]}`, 18],
    ['lists', `{"a":[${'[],'.repeat(100_000)}1]}`, 12],
    ['objects', `[${'{"a":1},'.repeat(100_000)}1]`, 30],
    ['escaped quotes', `["${'\\"'.repeat(100_000)}"]`, 6],
  ])('many %s are looked at in parts', (_what, source, count) => {
    expect(steps(source)).toBeGreaterThanOrEqual(count);
  });

  test('a repeated key is found all the same', () => {
    const many = '{"a":1},'.repeat(100_000);
    expect(() => steps(`[${many}{"b":1,"b":2}]`)).toThrow(DuplicateKey);
    expect(steps('{"a":1}')).toBe(0);
  });
});
