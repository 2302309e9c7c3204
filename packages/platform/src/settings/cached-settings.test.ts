import { expect, test } from '@jest/globals';
import { createCachedSettings } from './cached-settings.ts';

/** A store whose successive answers are given, and a clock. */
function cachedOver(...answers: readonly (string | Error)[]) {
  const clock = { ms: 0 };
  let loads = 0;
  const load = async () => {
    const answer = answers[loads] ?? answers.at(-1);
    loads += 1;
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('nothing');
    return answer;
  };
  return { clock, loads: () => loads, cached: createCachedSettings(load, () => clock.ms) };
}

test('reads once a second at most, also when many ask at once', async () => {
  const { cached, clock, loads } = cachedOver('a', 'b');
  const answers = await Promise.all([cached.current(), cached.current(), cached.current()]);
  expect(answers).toEqual(['a', 'a', 'a']);
  clock.ms = 999;
  expect(await cached.current()).toBe('a');
  clock.ms = 1_000;
  expect(await cached.current()).toBe('b');
  expect(loads()).toBe(2);
});

test('keeps the last good settings while they cannot be read, and says so', async () => {
  const { cached, clock } = cachedOver('a', new Error('database away'), 'c');
  await cached.current();
  clock.ms = 1_000;
  expect(await cached.current()).toBe('a');
  expect(cached.problem()).toBe('database away');
  clock.ms = 2_000;
  expect(await cached.current()).toBe('c');
  expect(cached.problem()).toBeUndefined();
});

test('rejects when there never were any, and asks again', async () => {
  const { cached } = cachedOver(new Error('database away'), 'b');
  await expect(cached.current()).rejects.toThrow('database away');
  expect(await cached.current()).toBe('b');
});
