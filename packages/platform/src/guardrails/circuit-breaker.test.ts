import { expect, test } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.ts';

function start() {
  const clock = { nowMs: 0 };
  const breaker = new CircuitBreaker(() => clock.nowMs);
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
