import { expect, test } from '@jest/globals';
import { compilePolicies } from '../compile/compile-policies.ts';
import { parsePolicyFile } from '../file/parse-policy-file.ts';
import type { Finding } from '../policy.ts';
import { VerdictMemo } from './verdict-memo.ts';

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
    memo.recall(text, () => {
      isRead = true;
      return findings(count);
    });
    return isRead;
  };
}

test('a text that comes again is not read again, and one that comes no more is forgotten', () => {
  const ask = start();
  expect([ask(long('first'), 1), ask(long('first'), 1)]).toEqual([true, false]);
  for (let number = 0; number < 2_047; number += 1) ask(long(number), 1);
  expect(ask(long('first'), 1)).toBe(false);
  for (let number = 0; number < 2_048; number += 1) ask(long(`later ${number}`), 1);
  expect(ask(long('first'), 1)).toBe(true);
});

test('a harmless text that comes again is not read again, as long as it is not driven out by others', () => {
  const ask = start();
  const ours = (number: number) => `${long(number)}\u3042\ud800`;
  expect([ask(long('first'), 0), ask(ours(1), 0)]).toEqual([true, true]);
  expect([ask(long('first'), 0), ask(ours(1), 0)]).toEqual([false, false]);
  for (let round = 0; round < 8; round += 1) {
    for (let number = 0; number < 250; number += 1) ask(long(1_000 * round + number), 0);
    expect([ask(long('first'), 0), ask(ours(1), 0)]).toEqual([false, false]);
  }
  for (let number = 0; number < 2_000; number += 1) ask(long(`later ${number}`), 0);
  expect([ask(long('first'), 0), ask(ours(1), 0)]).toEqual([true, true]);
});

test('what is harmless to one plan is read by another all the same', () => {
  const [one, other] = [start(), start()];
  const text = long('shared');
  expect([one(text, 0), other(text, 0)]).toEqual([true, true]);
  expect([one(text, 0), other(text, 0)]).toEqual([false, false]);
});

test('texts that differ in one place are different, wherever that is, and so are scopes', () => {
  const memo = new VerdictMemo();
  let reads = 0;
  const ask = (text: string, place = memo): void => {
    place.recall(text, () => {
      reads += 1;
      return [];
    });
  };
  const texts = Array.from({ length: 130 }, (_, at) => `${'a'.repeat(at)}b${'a'.repeat(130 - at)}`);
  const all = [...texts, ...texts.map((text) => text.replace('b', '\u3042')), ...texts.map((text) => `${text}a`)];
  for (const text of all) ask(text);
  expect(reads).toBe(390);
  for (const text of all) ask(text);
  expect(reads).toBeLessThan(396);
  ask(texts[0] as string, new VerdictMemo());
  expect(reads).toBeGreaterThan(390);
});

test('a harmless text that is too long to be kept is known by its hash', () => {
  const ask = start();
  const text = long('long').repeat(300);
  expect([ask(text, 0), ask(text, 0), ask(`${text}!`, 0)]).toEqual([true, false, true]);
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
