import { expect, test } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.ts';

function start() {
  const clock = { nowMs: 0 };
  const breaker = new CircuitBreaker({ maxFailures: 5, restMs: 15_000 }, () => clock.nowMs);
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) breaker.failed();
  };
  return { clock, breaker, fail };
}

test('failures in a row open it, others do not', () => {
  const { breaker, fail } = start();
  fail(4);
  breaker.succeeded();
  fail(4);
  expect([breaker.state, breaker.admits()]).toEqual(['closed', true]);
  fail(1);
  expect([breaker.state, breaker.admits()]).toEqual(['open', false]);
});

test('after its rest one question at a time tries again', () => {
  const { clock, breaker, fail } = start();
  fail(5);
  clock.nowMs = 15_000;
  expect([breaker.state, breaker.admits(), breaker.admits()]).toEqual(['half_open', true, false]);
  breaker.failed();
  expect(breaker.state).toBe('open');
  clock.nowMs = 30_000;
  expect(breaker.admits()).toBe(true);
  breaker.gaveUp();
  expect(breaker.admits()).toBe(true);
  breaker.succeeded();
  expect([breaker.state, breaker.admits(), breaker.admits()]).toEqual(['closed', true, true]);
});

test('of those who share a peer one after the other has its turn', () => {
  const clock = { nowMs: 0 };
  const breakers = [0, 100].map(
    (turnMs) => new CircuitBreaker({ maxFailures: 1, restMs: 15_000, turnMs }, () => clock.nowMs),
  );
  const admitted = () => breakers.map((breaker) => breaker.admits());
  for (const breaker of breakers) breaker.failed();
  clock.nowMs = 15_000;
  expect([admitted(), breakers[1]?.restsForMs]).toEqual([[true, false], 100]);
  breakers[1]?.leave();
  clock.nowMs = 15_100;
  expect(admitted()).toEqual([false, false]);

  // Where the first has nothing to ask, the second need not wait for it.
  for (const breaker of breakers) breaker.failed();
  clock.nowMs = 30_200;
  expect(breakers[1]?.admits()).toBe(true);
});

test('a trial that takes longer than a rest keeps no other caller from trying', () => {
  const { clock, breaker, fail } = start();
  fail(5);
  expect(breaker.restsForMs).toBe(15_000);
  clock.nowMs = 15_000;
  expect([breaker.admits(), breaker.admits(), breaker.restsForMs]).toEqual([true, false, 0]);
  clock.nowMs = 30_000;
  expect([breaker.state, breaker.admits(), breaker.admits()]).toEqual(['half_open', true, false]);
});

test('with no number of failures it never opens', () => {
  const breaker = new CircuitBreaker({ maxFailures: 0, restMs: 15_000 }, () => 0);
  for (let n = 0; n < 100; n += 1) breaker.failed();
  expect([breaker.state, breaker.admits()]).toEqual(['closed', true]);
});

test('while another process tries no caller here does, for one rest at most', () => {
  const { clock, breaker, fail } = start();
  fail(5);
  clock.nowMs = 15_000;
  breaker.leave();
  expect(breaker.admits()).toBe(false);
  clock.nowMs = 30_000;
  expect(breaker.admits()).toBe(true);
});
