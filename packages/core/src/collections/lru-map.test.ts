import { expect, test } from '@jest/globals';
import { LruMap } from './lru-map.ts';

/** All keys, the one that was not used for longest first. */
function drain(map: LruMap<number>): string[] {
  const keys: string[] = [];
  for (let { oldest } = map; oldest !== undefined; oldest = map.oldest) {
    keys.push(oldest.key);
    map.delete(oldest.key);
  }
  return keys;
}

const filled = (): LruMap<number> => {
  const map = new LruMap<number>();
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) map.add(key, index);
  return map;
};

test('knows what was not used for longest, wherever it stood', () => {
  const map = filled();
  for (const key of ['a', 'c', 'c', 'd', 'nobody']) map.use(key);
  expect(map.use('a')?.value).toBe(0);
  expect(map.size).toBe(4);
  expect(drain(map)).toEqual(['b', 'c', 'd', 'a']);
  expect(map.size).toBe(0);
});

test('loses what is deleted, at either end and in between', () => {
  for (const [gone, left] of [
    ['a', ['b', 'c', 'd']],
    ['c', ['a', 'b', 'd']],
    ['d', ['a', 'b', 'c']],
    ['nobody', ['a', 'b', 'c', 'd']],
  ] as const) {
    const map = filled();
    map.delete(gone);
    expect(map.use(gone)).toBeUndefined();
    map.add('e', 5);
    expect(drain(map)).toEqual([...left, 'e']);
  }
});

test('is as good as new when it was empty', () => {
  const map = filled();
  drain(map);
  map.add('x', 1).value = 2;
  expect(map.use('x')?.value).toBe(2);
  expect(drain(map)).toEqual(['x']);
});

test('lets what was not used for longest give way, where it holds no more', () => {
  const map = new LruMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect([map.size, map.use('a')?.value]).toEqual([2, 3]);
  expect(drain(map)).toEqual(['c', 'a']);
});
