import { expect, test } from '@jest/globals';
import { chooseCores, parseCpuList } from './machine.ts';

test('the list of CPUs is read as the kernel writes it', () => {
  expect(parseCpuList('0-1')).toEqual([0, 1]);
  expect(parseCpuList('3')).toEqual([3]);
  expect(parseCpuList('0-2,8,10-11')).toEqual([0, 1, 2, 8, 10, 11]);
});

test('the proxy has its core to itself, upstream and load share only when they must', () => {
  expect(chooseCores([4, 5], true)).toEqual({ proxy: 4, upstream: 5, load: 5 });
  expect(chooseCores([0, 1, 2, 3], true)).toEqual({ proxy: 0, upstream: 1, load: 2 });
});

test('with one core, or without a way to pin, nothing is pinned', () => {
  const unpinned = { proxy: undefined, upstream: undefined, load: undefined };
  expect(chooseCores([0], true)).toEqual(unpinned);
  expect(chooseCores([0, 1], false)).toEqual(unpinned);
});
