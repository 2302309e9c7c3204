import { expect, test } from '@jest/globals';
import { levelOf, scoreOf, type Scored } from './score.ts';

const finding = (part: Partial<Scored>): Scored => ({
  category: 'destructive',
  severity: 'High',
  strength: 'chain',
  weight: 1,
  ...part,
});
const level = (...findings: readonly Scored[]): string => levelOf(scoreOf(findings));

test('one certain finding reaches the level of its name', () => {
  expect(level()).toBe('None');
  expect(level(finding({ severity: 'Low' }))).toBe('Low');
  expect(level(finding({ severity: 'Medium' }))).toBe('Medium');
  expect(level(finding({ severity: 'High' }))).toBe('High');
  expect(level(finding({ severity: 'Critical' }))).toBe('Critical');
});

test('several low findings stay Low, medium ones Medium unless they are of many kinds, and abilities never pass Low', () => {
  const categories = ['destructive', 'persistence', 'obfuscation', 'supply_chain', 'crypto_mining'] as const;
  const ofEach = (part: Partial<Scored>) =>
    categories.flatMap((category) => Array.from({ length: 20 }, () => finding({ ...part, category })));
  expect(level(...ofEach({ severity: 'Low' }))).toBe('Low');
  expect(level(...ofEach({ severity: 'Medium', strength: 'sign' }).slice(0, 60))).toBe('Medium');
  expect(level(...ofEach({ severity: 'Medium', strength: 'sign' }))).toBe('Critical');
  expect(level(...ofEach({ severity: 'Low', strength: 'capability' }))).toBe('Low');
});

test('findings of one category add less and less, of several more, and never past 100', () => {
  const one = scoreOf([finding({})]);
  const two = scoreOf([finding({}), finding({})]);
  const other = scoreOf([finding({}), finding({ category: 'persistence' })]);
  expect([one < two, two < other]).toEqual([true, true]);
  expect(scoreOf(Array.from({ length: 500 }, () => finding({ severity: 'Critical' })))).toBeLessThanOrEqual(100);
});

test('the order of findings changes nothing', () => {
  const some = [finding({}), finding({ category: 'persistence', weight: 0.5 }), finding({ severity: 'Low' })];
  expect(scoreOf(some.toReversed())).toBe(scoreOf(some));
});
