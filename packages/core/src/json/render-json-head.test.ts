import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderJsonHead } from './render-json-head.ts';

test('what is short is written whole', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(renderJsonHead(value, 100_000)).toBe(JSON.stringify(value));
    }),
  );
});

test.each<[string, unknown]>([
  ['a long text', 'x'.repeat(1_000_000)],
  ['many values', Array.from({ length: 1_000_000 }, () => 0)],
  ['many keys', Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 0]))],
  ['a long key', { ['k'.repeat(1_000_000)]: 1 }],
])('of %s only the head is written', (_what, value) => {
  const head = renderJsonHead(value, 100);
  expect(head.length).toBeLessThan(120);
  expect(JSON.stringify(value).slice(0, 90)).toBe(head.slice(0, 90));
});

test('of deep nesting only as much is entered as is written', () => {
  let deep: unknown = 0;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(renderJsonHead(deep, 100)).toMatch(/^\[{100}\]*$/);
});

test('a value that JSON does not know is null', () => {
  expect(renderJsonHead(undefined, 100)).toBe('null');
});
