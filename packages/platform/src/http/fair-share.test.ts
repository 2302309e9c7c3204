import { describe, expect, test } from '@jest/globals';
import { FairShare } from './fair-share.ts';

const takeAll = (share: FairShare, keyId: number): number => {
  let taken = 0;
  while (share.take(keyId, 1)) taken += 1;
  return taken;
};

describe('what all keys share', () => {
  test('is for one key up to its half', () => {
    expect(takeAll(new FairShare(1_000), 1)).toBe(500);
  });

  test('is left for others by one that takes all it gets', () => {
    const share = new FairShare(1_000);
    takeAll(share, 1);
    expect([2, 3, 4, 5, 6, 7].map((keyId) => takeAll(share, keyId))).toEqual([100, 100, 100, 100, 100, 0]);
  });

  test('is there again when it is given back', () => {
    const share = new FairShare(1_000);
    const taken = takeAll(share, 1);
    share.give(1, taken);
    expect(takeAll(share, 2)).toBe(500);
    expect(takeAll(share, 1)).toBe(100);
  });

  test('is never more than there is', () => {
    const share = new FairShare(1_000);
    expect(share.take(1, 1_001)).toBe(false);
    expect(share.take(1, 1_000)).toBe(true);
    expect(share.take(2, 1)).toBe(false);
  });
});
