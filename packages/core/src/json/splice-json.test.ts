import { expect, test } from '@jest/globals';
import { JsonChanges, spliceJson } from './splice-json.ts';

function changesAt(...places: readonly (readonly [path: readonly (string | number)[], text: string])[]): JsonChanges {
  const changes = new JsonChanges();
  for (const [path, text] of places) changes.set(path, false, text);
  return changes;
}

test('new texts stand in their places, and what is dropped takes its texts with it', () => {
  const source = '{ "a": "b", "drop": { "c": "d", "drop": ["e"] }, "f": ["g" , 1.0] }';
  const changes = changesAt([['a'], 'B'], [['drop', 'c'], 'D'], [['drop', 'drop', 0], 'E'], [['f', 0], 'G']);
  expect(spliceJson(source, changes, 'drop')).toBe('{ "a": "B", "drop": null, "f": ["G" , 1.0] }');
  expect(spliceJson(source, changes)).toBe('{ "a": "B", "drop": { "c": "D", "drop": ["E"] }, "f": ["G" , 1.0] }');
});

test('of many that are dropped among many texts', () => {
  const count = 20_000;
  const list = Array.from({ length: count }, () => ({ a: 'b', drop: {} }));
  const changes = changesAt(...list.map((_, index) => [[index, 'a'], 'c'] as const));
  const expected = list.map(() => ({ a: 'c', drop: null }));
  expect(JSON.parse(spliceJson(JSON.stringify(list), changes, 'drop'))).toEqual(expected);
});
