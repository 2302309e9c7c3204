import { expect, test } from '@jest/globals';
import type { CallerShare } from '../caller-share.ts';
import { createWaitingLine } from './waiting-line.ts';

const what = { ofAll: 'skills wait', ofOne: 'skills of yours wait' };
const admin: CallerShare = { key: 'user:1', rank: 'user' };
const key: CallerShare = { key: 'key:1', rank: 'key' };
const stranger = (address: number): CallerShare => ({ key: `address:203.0.113.${address}`, rank: 'stranger' });

test('users come first, then keys, then strangers in turns', async () => {
  const line = createWaitingLine(64, what);
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const join = (share: CallerShare, name: string) =>
    line.join(share, async () => {
      if (name === 'first') await first.promise;
      done.push(name);
    });
  const all = [
    join(stranger(1), 'first'),
    join(stranger(1), 'a1'),
    join(stranger(1), 'a2'),
    join(stranger(2), 'b1'),
    join(key, 'key'),
    join(admin, 'admin'),
  ];
  first.resolve();
  await Promise.all(all);
  expect(done).toEqual(['first', 'admin', 'key', 'a1', 'b1', 'a2']);
});

test('a stranger takes an eighth of the places, strangers a half, and users find room', async () => {
  const line = createWaitingLine(16, what);
  const end = Promise.withResolvers<void>();
  const join = (share: CallerShare) => line.join(share, () => end.promise).then(() => 'scanned', String);
  const ofOne = [1, 2, 3].map(() => join(stranger(1)));
  const others = Array.from({ length: 8 }, (_, index) => join(stranger(index + 2)));
  const known = [join(key), join(admin)];
  expect(await ofOne[2]).toContain('2 skills of yours wait');
  expect(await others[7]).toContain('8 skills wait already');
  end.resolve();
  const outcomes = await Promise.all([...ofOne, ...others, ...known]);
  expect(outcomes.filter((outcome) => outcome === 'scanned')).toHaveLength(10);
});

test('what fails keeps nothing behind it waiting', async () => {
  const line = createWaitingLine(4, what);
  const bad = line.join(admin, () => Promise.reject(new Error('no')));
  const good = line.join(admin, async () => 'yes');
  await expect(bad).rejects.toThrow('no');
  expect(await good).toBe('yes');
  await line.settled();
});
