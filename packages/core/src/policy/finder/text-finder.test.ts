import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildAutomaton } from './build-automaton.ts';
import { mostUnits } from './finder-kernel.ts';
import { finish } from '../../collections/finish-steps.ts';
import { TextFinder } from './text-finder.ts';

const unitsOf = (text: string): Uint16Array => Uint16Array.from(text, (char) => char.charCodeAt(0));

test('what is found in eight places at once, and however a text is cut, is what is found from one end to the other', () => {
  const automaton = finish(buildAutomaton(['abc', 'bcab', 'c', 'ababab', 'caa b', 'ab'.repeat(16)]));
  /** States and places, of a text that is read in pieces up to each of these places. */
  const found = (text: string, cuts: readonly number[]): (readonly number[])[] => {
    const finder = new TextFinder(automaton);
    const all: (readonly number[])[] = [];
    let from = 0;
    for (const to of cuts) {
      finder.find(unitsOf(text), from, to);
      for (let hit = 0; hit < finder.count; hit += 1)
        all.push([finder.states[(finder.numbers[hit] as number) - 1] as number, finder.places[hit] as number]);
      from = to;
    }
    return all;
  };
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', ' ', 'ab'.repeat(20)),
    minLength: 1,
    maxLength: 400,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(6_000), { maxLength: 3 }), (written, places) => {
      const oneByOne = Array.from(written, (_, at) => at + 1);
      const cuts = [...places.filter((place) => place < written.length).sort((a, b) => a - b), written.length];
      expect(found(written, cuts)).toEqual(found(written, oneByOne));
    }),
    { numRuns: 40 },
  );
  const long = 'abc ababab '.repeat(mostUnits / 11 + 1).slice(0, mostUnits);
  const everyOther = Array.from({ length: mostUnits / 256 }, (_, index) => 256 * (index + 1));
  expect(found(long, [mostUnits]).join(' ')).toBe(found(long, everyOther).join(' '));
});
