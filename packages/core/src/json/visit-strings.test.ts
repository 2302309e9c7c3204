import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NestedTooDeep, renderPointer, stringsIn, visitStrings } from './visit-strings.ts';

const visited = (value: unknown, maxDepth = 8): string[] => {
  const seen: string[] = [];
  visitStrings(value, (text, path) => seen.push(`${renderPointer(path)}=${text}`), maxDepth);
  return seen;
};

test('finds every string in document order with its pointer', () => {
  expect(
    visited({ model: 'm', messages: [{ content: 'a' }, { content: [{ text: 'b' }], n: 1, index: null }] }),
  ).toEqual(['/model=m', '/messages/0/content=a', '/messages/1/content/0/text=b']);
});

test('escapes pointers and passes over empty strings', () => {
  expect(visited({ 'a/b~c': 'x', text: '' })).toEqual(['/a~1b~0c=a/b~c', '/a~1b~0c=x']);
});

test('keys are text too, but for names of the protocols', () => {
  expect(visited({ sesame: true, role: { a: 1 }, '': null })).toEqual(['/sesame=sesame', '/role/a=a']);
});

test('long numbers are told by their digits', () => {
  const numbers = [4111111111111111, -4111111111111111, 4.111e15, 1_000_000_000_000, 999_999_999_999, 0.5, Infinity];
  expect(visited(numbers)).toEqual([
    '/0=4111111111111111',
    '/1=4111111111111111',
    '/2=4111000000000000',
    '/3=1000000000000',
  ]);
  expect(visited(6011000990139424)).toEqual(['=6011000990139424']);
});

test('refuses to follow a value nested too deeply', () => {
  expect(visited([[['x']]], 3)).toEqual(['/0/0/0=x']);
  expect(() => visited([[[['x']]]], 3)).toThrow(NestedTooDeep);
});

test('finds the same one string at a time', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const inTurn = Array.from(stringsIn(value, 8), (place) => place && `${renderPointer(place.path)}=${place.text}`);
      expect(inTurn).toEqual(visited(value));
    }),
  );
  expect(Array.from(stringsIn('x'), (place) => place?.path)).toEqual([[]]);
  expect(() => [...stringsIn([[[['x']]]], 3)]).toThrow(NestedTooDeep);
});

test('members without a string are passed in parts', () => {
  const places = [...stringsIn({ numbers: Array.from({ length: 100_000 }, () => 1), said: 'x' })];
  expect(places.filter((place) => place === undefined)).toHaveLength(12);
  expect(places.at(-1)?.text).toBe('x');
});
