import { expect, test } from '@jest/globals';
import { CleanWordCache } from './clean-word-cache.ts';

test('knows what was added, and nothing that is like it', () => {
  const words = new CleanWordCache();
  for (const word of ['user', 'assistant', 'größer', 'x'.repeat(64)]) {
    expect(words.has(word)).toBe(false);
    words.add(word);
    expect(words.has(word)).toBe(true);
  }
  for (const other of ['use', 'users', 'User', 'x'.repeat(63), '']) expect(words.has(other)).toBe(false);
});

test('forgets what comes once and keeps what comes again and again', () => {
  const words = new CleanWordCache();
  words.add('assistant');
  for (let serial = 0; serial < 20_000; serial += 1) {
    words.add(`user-${serial}`);
    expect(words.has('assistant')).toBe(true);
  }
  const known = Array.from({ length: 20_000 }, (_, serial) => words.has(`user-${serial}`)).filter(Boolean);
  expect(known.length).toBeLessThanOrEqual(2_048);
  expect(words.has('user-19999')).toBe(true);
});
