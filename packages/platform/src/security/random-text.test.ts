import { expect, test } from '@jest/globals';
import { randomAlphanumerics } from './random-text.ts';

test('random text has the length asked for and nothing but letters and digits', () => {
  for (const length of [0, 1, 16, 43, 500]) {
    expect(randomAlphanumerics(length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
  }
});

test('every letter and digit is equally likely', () => {
  const perCharacter = 2_000;
  const counts = new Map<string, number>();
  for (const character of randomAlphanumerics(62 * perCharacter)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // Ten standard deviations; the bias of a plain remainder (25 % more for the first eight) is eleven.
  for (const count of counts.values()) expect(Math.abs(count - perCharacter)).toBeLessThan(450);
});
