import { expect, test } from '@jest/globals';
import { nameSkeleton } from './name-skeleton.ts';

test.each([
  ['PayPal', 'Pаypаl'],
  ['PayPal', 'pay_pal'],
  ['PayPal', 'Pay\u200bPal'],
  ['PayPal', 'ＰａｙＰａｌ'],
  ['Oslo Maps', '0s1o maps'],
])('%s reads like %s', (one, other) => {
  expect(nameSkeleton(other)).toBe(nameSkeleton(one));
});

test.each([
  ['Maps 2', 'Maps 3'],
  ['Mail', 'Mall'],
  ['地図', '地圖'],
])('%s does not read like %s', (one, other) => {
  expect(nameSkeleton(other)).not.toBe(nameSkeleton(one));
});
