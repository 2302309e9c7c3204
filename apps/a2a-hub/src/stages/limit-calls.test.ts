import { expect, test } from '@jest/globals';
import { CallPlaces } from './limit-calls.ts';

test('each owner has so many calls under way, and another when one has ended', () => {
  const places = new CallPlaces(2);
  expect([places.take('group:1'), places.take('group:1'), places.take('group:1')]).toEqual([true, true, false]);
  expect(places.take('group:2')).toBe(true);
  places.free('group:1');
  expect([places.take('group:1'), places.take('group:1')]).toEqual([true, false]);
});
