import { expect, test } from '@jest/globals';
import { parseOptionsOrThrow } from './options.ts';

const known = { agents: ['mason', 'potter'], policies: ['first', 'second'] };

test('everything is wanted unless it is narrowed', () => {
  expect(parseOptionsOrThrow([], known)).toEqual({ ...known, keep: false, help: false });
  expect(parseOptionsOrThrow(['--agent', 'potter', '--policy', 'first,second', '--keep'], known)).toEqual({
    agents: ['potter'],
    policies: ['first', 'second'],
    keep: true,
    help: false,
  });
});

test.each([
  [['--agent', 'smith'], '--agent knows mason, potter; not "smith"'],
  [['--policy', 'third'], '--policy knows first, second; not "third"'],
  [['--agents'], "Unknown option '--agents'"],
])('%j is refused with what is allowed', (parameters, message) => {
  expect(() => parseOptionsOrThrow(parameters, known)).toThrow(message);
});
