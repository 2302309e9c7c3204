import { expect, test } from '@jest/globals';
import type { CallerQuota } from '../caller-quota.ts';
import { createFairQueue } from './fair-queue.ts';

const what = { ofAll: 'skills wait', ofOne: 'skills of yours wait' };
const admin: CallerQuota = { key: 'user:1', rank: 'user' };
const key: CallerQuota = { key: 'key:1', rank: 'key' };
const stranger = (address: number): CallerQuota => ({ key: `address:203.0.113.${address}`, rank: 'anonymous' });

test('users come first, then keys, then strangers in turns', async () => {
  const queue = createFairQueue(64, what);
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const run = (share: CallerQuota, name: string) =>
    queue.run(share, async () => {
      if (name === 'first') await first.promise;
      done.push(name);
    });
  const all = [
    run(stranger(1), 'first'),
    run(stranger(1), 'a1'),
    run(stranger(1), 'a2'),
    run(stranger(2), 'b1'),
    run(key, 'key'),
    run(admin, 'admin'),
  ];
  first.resolve();
  await Promise.all(all);
  expect(done).toEqual(['first', 'admin', 'key', 'a1', 'b1', 'a2']);
});

test('a stranger takes an eighth of the places, strangers a half, and users find room', async () => {
  const queue = createFairQueue(16, what);
  const end = Promise.withResolvers<void>();
  const run = (share: CallerQuota) => queue.run(share, () => end.promise).then(() => 'scanned', String);
  const ofOne = [1, 2, 3].map(() => run(stranger(1)));
  const others = Array.from({ length: 8 }, (_, index) => run(stranger(index + 2)));
  const known = [run(key), run(admin)];
  expect(await ofOne[2]).toContain('2 skills of yours wait');
  expect(await others[7]).toContain('8 skills wait already');
  end.resolve();
  const outcomes = await Promise.all([...ofOne, ...others, ...known]);
  expect(outcomes.filter((outcome) => outcome === 'scanned')).toHaveLength(10);
});

test('what fails keeps nothing behind it waiting', async () => {
  const queue = createFairQueue(4, what);
  const bad = queue.run(admin, () => Promise.reject(new Error('no')));
  const good = queue.run(admin, async () => 'yes');
  await expect(bad).rejects.toThrow('no');
  expect(await good).toBe('yes');
  await queue.settled();
});
