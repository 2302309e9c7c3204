import type { LookupFunction } from 'node:net';
import { expect, test } from '@jest/globals';
import { createCachedLookup, type CachedLookupOptions } from './cached-lookup.ts';

type Answer = (error: NodeJS.ErrnoException | null, address: string) => void;

function start(options: CachedLookupOptions = {}) {
  const asked: Answer[] = [];
  const clock = { nowMs: 0 };
  const lookup: LookupFunction = (_host, _options, callback) => void asked.push(callback);
  const cached = createCachedLookup({ lookup, nowMs: () => clock.nowMs, patienceMs: 5, ...options });
  const ask = (host = 'llm.example') =>
    new Promise<unknown>((resolve) => cached(host, {}, (error, address) => resolve(error?.code ?? address)));
  return { asked, clock, ask };
}

const failure = (code: string) => Object.assign(new Error(code), { code });

test('many who wait for a name are one question, and its answer holds for a while', async () => {
  const { asked, clock, ask } = start();
  const waiting = [ask(), ask(), ask()];
  expect(asked).toHaveLength(1);
  asked[0]?.(null, '192.0.2.1');
  expect(await Promise.all(waiting)).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.1']);
  expect(await ask()).toBe('192.0.2.1');
  const other = ask('other.example');
  expect(asked).toHaveLength(2);
  asked[1]?.(null, '192.0.2.2');
  expect(await other).toBe('192.0.2.2');

  clock.nowMs = 10_001;
  const renewed = ask();
  asked[2]?.(null, '192.0.2.3');
  expect(await renewed).toBe('192.0.2.3');
});

test('an old answer serves while the name server is slow or fails, and no longer than it may', async () => {
  const { asked, clock, ask } = start({ staleMs: 60_000 });
  const first = ask();
  asked[0]?.(null, '192.0.2.1');
  await first;

  clock.nowMs = 20_000;
  expect(await ask()).toBe('192.0.2.1');
  expect(await ask()).toBe('192.0.2.1');
  expect(asked).toHaveLength(2);
  asked[1]?.(failure('EAI_AGAIN'), '');
  const failing = ask();
  asked[2]?.(failure('EAI_AGAIN'), '');
  expect(await failing).toBe('192.0.2.1');

  clock.nowMs = 60_001;
  const late = ask();
  asked[3]?.(failure('EAI_AGAIN'), '');
  expect(await late).toBe('EAI_AGAIN');
});

test('a name that is known to be gone is gone', async () => {
  const { asked, clock, ask } = start();
  const first = ask();
  asked[0]?.(null, '192.0.2.1');
  await first;
  clock.nowMs = 20_000;
  const second = ask();
  asked[1]?.(failure('ENOTFOUND'), '');
  expect(await second).toBe('ENOTFOUND');
});

test('no more names are remembered than allowed', async () => {
  const { asked, ask } = start({ maxNames: 1 });
  const one = ask('one.example');
  asked[0]?.(null, '192.0.2.1');
  await one;
  const two = ask('two.example');
  asked[1]?.(null, '192.0.2.2');
  await two;
  const again = ask('one.example');
  expect(asked).toHaveLength(3);
  asked[2]?.(null, '192.0.2.1');
  await again;
});
