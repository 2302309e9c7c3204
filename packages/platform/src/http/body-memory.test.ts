import { expect, test } from '@jest/globals';
import { parseConfigOrThrow } from '../config/config.ts';
import { createBodyMemory, shareBodyMemory } from './body-memory.ts';

const MiB = 1_048_576;
const takeAll = (take: () => boolean): number => {
  let taken = 0;
  while (take()) taken += 1;
  return taken;
};

test('anonymous callers have an eighth together, and what they take is taken from all', () => {
  const { all, anonymous } = createBodyMemory(512 * MiB);
  expect(takeAll(() => anonymous.take('192.0.2.1', MiB))).toBe(32);
  expect(takeAll(() => anonymous.take('192.0.2.2', MiB))).toBe(7);
  expect(all.take(1, 512 * MiB - 38 * MiB)).toBe(false);
  for (let count = 0; count < 32; count += 1) anonymous.give('192.0.2.1', MiB);
  for (let count = 0; count < 7; count += 1) anonymous.give('192.0.2.2', MiB);
  expect(all.take(1, 512 * MiB)).toBe(true);
  // Nothing is left, so nothing stays taken of what is theirs.
  expect(anonymous.take('192.0.2.1', MiB)).toBe(false);
  all.give(1, 512 * MiB);
  expect(takeAll(() => anonymous.take('192.0.2.1', MiB))).toBe(32);
});

test('a body as large as allowed fits, in pieces, too', () => {
  const config = parseConfigOrThrow({ MAX_HELD_BODIES_MB: '1', MAX_REQUEST_SIZE_MB: '20' });
  const { all } = shareBodyMemory({ config });
  expect(takeAll(() => all.take(1, MiB))).toBe(20);
});

test('a network of IPv6 has one share, however many addresses of it call', () => {
  const { anonymous } = createBodyMemory(512 * MiB);
  let last = 0;
  expect(takeAll(() => anonymous.take(`2001:db8:1:2::${(last += 1).toString(16)}`, MiB))).toBe(32);
  expect(anonymous.take('2001:db8:1:3::1', MiB)).toBe(true);
  for (let address = 1; address <= 32; address += 1) anonymous.give(`2001:db8:1:2::${address.toString(16)}`, MiB);
  expect(anonymous.take('2001:db8:1:2::1', MiB)).toBe(true);
});
