import { expect, test } from '@jest/globals';
import { isRandom } from './randomness.ts';

test.each(['retryAfterSeconds', 'node-v20.11.1', 'eu-west-1.example', 'user_42_name'])('%s is a name', (name) => {
  expect(isRandom(name)).toBe(false);
});

test('what was drawn by lot is no name', () => {
  expect(isRandom('q7Xp2Lm9Rt4Vz8Kd')).toBe(true);
});

// With two ways to go on after a word, the engine would take longer than anybody lives to tell that this is none.
test.each(['+', '=', '.'])('a long word with %s behind it is told at once', (end) => {
  const word = 'qwertzuiopasdfghjklyxcvbnm'.repeat(40);
  expect(isRandom(`${word}${end}`, 9)).toBe(false);
  expect(isRandom(`${`${word.slice(0, 9)}1`.repeat(60)}${end}`, 1_000)).toBe(false);
});
