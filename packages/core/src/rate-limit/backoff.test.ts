import { expect, test } from '@jest/globals';
import { beginAttempt, type DelayRule, type DelayState } from './backoff.ts';

const rule: DelayRule = { freeAttempts: 3, firstDelayMs: 1_000, maxDelayMs: 10_000, forgetAfterMs: 60_000 };

/** Attempts as soon as each is allowed; answers the waits before them. */
function insist(times: number): { readonly waits: number[]; readonly state: DelayState | undefined; nowMs: number } {
  let state: DelayState | undefined;
  let nowMs = 5_000;
  const waits = [];
  for (let count = 0; count < times; count += 1) {
    const tried = beginAttempt(state, rule, nowMs);
    nowMs += tried.answer.retryAfterMs;
    waits.push(tried.answer.retryAfterMs);
    state = beginAttempt(tried.state, rule, nowMs).state;
    if (tried.answer.allowed) state = tried.state;
  }
  return { waits, state, nowMs };
}

test('the wait doubles after the free attempts, up to its bound', () => {
  expect(insist(9).waits).toEqual([0, 0, 0, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test('the numbers stay whole however long a client insists', () => {
  const { state } = insist(500);
  expect(state?.attempts).toBeLessThan(100);
  expect(Number.isSafeInteger(state?.notBeforeMs)).toBe(true);
});

test('an attempt that comes too early changes nothing', () => {
  const { state, nowMs } = insist(4);
  const early = beginAttempt(state, rule, nowMs + 1);
  expect(early).toEqual({ state, answer: { allowed: false, retryAfterMs: 1_999 } });
});

test('everything is forgotten after a quiet time', () => {
  const { state, nowMs } = insist(9);
  expect(beginAttempt(state, rule, nowMs + 60_000).state.attempts).toBe(1);
});
