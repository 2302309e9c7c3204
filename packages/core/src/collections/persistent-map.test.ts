import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PersistentMap, type Change } from './persistent-map.ts';

const changes = fc.array(
  fc.tuple(fc.oneof(fc.integer({ min: 0, max: 400 }), fc.string({ maxLength: 3 })), fc.option(fc.nat(9))),
  { maxLength: 300 },
);

test('it holds what a map would, and the one before keeps what it had', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 6 }), (rounds) => {
      let map = PersistentMap.empty<string | number, number>();
      const model = new Map<string | number, number>();
      for (const round of rounds) {
        const before = map;
        const was = new Map(model);
        const told = round.map(([key, value]): Change<string | number, number> => [key, value ?? undefined]);
        map = map.with(told);
        for (const [key, value] of told) {
          if (value === undefined) model.delete(key);
          else model.set(key, value);
        }
        expect(new Map(before)).toEqual(was);
        expect(new Map(map)).toEqual(model);
        expect(map.size).toBe(model.size);
        const differs = [...new Set([...was.keys(), ...model.keys()])].filter((key) => was.get(key) !== model.get(key));
        expect(new Set(map.changedKeys(before))).toEqual(new Set(differs));
        for (const key of differs) expect(map.get(key)).toBe(model.get(key));
      }
    }),
  );
});

test('a change that changes nothing answers the same map', () => {
  const map = PersistentMap.empty<number, string>().with(Array.from({ length: 500 }, (_, key) => [key, 'same']));
  expect(map.with([[7, 'same']])).toBe(map);
  expect(map.with([[1_000, undefined]])).toBe(map);
});
