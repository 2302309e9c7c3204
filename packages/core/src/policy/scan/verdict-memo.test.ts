import { expect, test } from '@jest/globals';
import { compilePolicies } from '../plan/compile-policies.ts';
import { parsePolicyFile } from '../file/parse-policy-file.ts';
import type { Finding } from '../policy.ts';
import type { PlanScope } from '../plan/plan-scope.ts';
import { VerdictMemo } from './verdict-memo.ts';

const scope = {} as PlanScope;
const long = (name: string | number) => `${name} `.repeat(600);

const { policy } = parsePolicyFile({ name: 'p', rules: [{ id: 'A', patterns: ['needle'], action: 'monitor' }] });
if (policy === undefined) throw new Error('The policy does not parse');
const [finding] = compilePolicies([policy]).scan('a needle', { direction: 'request', protocol: 'llm' });
const findings = (count: number): readonly Finding[] => Array.from({ length: count }, () => finding as Finding);

/** Asks for a text that is found to have so many findings; answers whether it had to be read. */
function start() {
  const memo = new VerdictMemo();
  return (text: string, count: number): boolean => {
    let isRead = false;
    memo.recall(scope, text, () => {
      isRead = true;
      return findings(count);
    });
    return isRead;
  };
}

test('a text that comes again is not read again, and one that comes no more is forgotten', () => {
  const ask = start();
  expect([ask(long('first'), 1), ask(long('first'), 1)]).toEqual([true, false]);
  for (let number = 0; number < 2_047; number += 1) ask(long(number), 0);
  expect(ask(long('first'), 1)).toBe(false);
  for (let number = 0; number < 2_048; number += 1) ask(long(`later ${number}`), 0);
  expect(ask(long('first'), 1)).toBe(true);
});

test('texts full of findings are forgotten sooner, and one that is too full is never kept', () => {
  const ask = start();
  ask(long('first'), 100);
  for (let number = 0; number < 80; number += 1) ask(long(number), 100);
  expect(ask(long('first'), 100)).toBe(false);
  for (let number = 100; number < 200; number += 1) ask(long(number), 100);
  expect(ask(long('first'), 100)).toBe(true);
  expect([ask(long('full'), 9_000), ask(long('full'), 9_000)]).toEqual([true, true]);
});
