import { describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher, type BatcherOptions } from './batcher.ts';

const never = new AbortController().signal;

function batcher(change: Partial<BatcherOptions<string, string>> = {}) {
  const batches: (readonly string[])[] = [];
  let running = 0;
  let most = 0;
  const send = createBatcher<string, string>({
    maxItems: 3,
    maxBytes: 1_000,
    bytesOf: (item) => item.length,
    lingerMs: 5,
    maxConcurrent: 1,
    send: async (items) => {
      batches.push(items);
      running += 1;
      most = Math.max(most, running);
      await pause(10);
      running -= 1;
      return items.map((item) => `${item}!`);
    },
    ...change,
  });
  return { send: (item: string) => send(item, never), batches, most: () => most };
}

describe('a batcher', () => {
  test('answers each item with its own outcome, in batches of so many, one after the other', async () => {
    const { send, batches, most } = batcher();
    const items = Array.from('abcdefgh');
    expect(await Promise.all(items.map(send))).toEqual(items.map((item) => `${item}!`));
    expect(batches.map((batch) => batch.join(''))).toEqual(['abc', 'def', 'gh']);
    expect(most()).toBe(1);
  });

  test('does not wait for more than so long', async () => {
    const { send, batches } = batcher();
    const start = performance.now();
    await send('a');
    expect(performance.now() - start).toBeLessThan(1_000);
    await send('b');
    expect(batches).toEqual([['a'], ['b']]);
  });

  test('keeps to a number of bytes, and sends what is larger alone', async () => {
    const { send, batches } = batcher({ maxItems: 100, maxBytes: 10, maxConcurrent: 10 });
    await Promise.all(['aaaa', 'bbbb', 'cccc', 'd'.repeat(50), 'e'].map(send));
    expect(batches.map((batch) => batch.map(([first]) => first).join(''))).toEqual(['ab', 'c', 'd', 'e']);
  });

  test('lets what comes while one is under way fill the next one', async () => {
    const { send, batches } = batcher({ maxItems: 100, lingerMs: 1 });
    const first = send('a');
    await pause(4);
    const others = Array.from('bcd', send);
    await Promise.all([first, ...others]);
    expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  });
});
