import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { RollingWindow } from './rolling-window.ts';

const minuteMs = 60_000;

test('in no minute, wherever it begins, do more pass than the limit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 }),
      (limit, pauses) => {
        const window = new RollingWindow();
        const passed: number[] = [];
        let nowMs = 1_700_000_000_123;
        for (const pause of pauses) {
          nowMs += pause;
          if (window.count(limit, nowMs).allowed) passed.push(nowMs);
        }
        passed.forEach((from, at) => expect((passed[at + limit] ?? Infinity) - from).toBeGreaterThanOrEqual(minuteMs));
      },
    ),
  );
});

test('a refused call is told when the next one passes, and does not count itself', () => {
  const window = new RollingWindow();
  const from = 1_700_000_000_400;
  expect(window.count(2, from).allowed).toBe(true);
  expect(window.count(2, from + 5_000).allowed).toBe(true);
  for (let call = 0; call < 100; call += 1) expect(window.count(2, from + 30_000).allowed).toBe(false);
  const { retryAfterMs } = window.count(2, from + 30_000);
  expect(retryAfterMs).toBe(30_000);
  expect(window.count(2, from + 30_000 + retryAfterMs - 1).allowed).toBe(false);
  expect(window.count(2, from + 30_000 + retryAfterMs).allowed).toBe(true);
  expect(window.count(2, from + 30_000 + retryAfterMs).allowed).toBe(false);
});

test('nobody is told to wait for longer than the minute', () => {
  const window = new RollingWindow();
  const from = 1_700_000_000_001;
  window.count(1, from);
  expect(window.count(1, from)).toEqual({ allowed: false, retryAfterMs: minuteMs });
});

test('it keeps a number for each second at most, for any limit', () => {
  const window = new RollingWindow();
  for (let call = 0; call < 100_000; call += 1) window.count(1_000_000, 1_700_000_000_000 + call);
  expect(window.isEmpty(1_700_000_000_000 + 99_998 + minuteMs)).toBe(false);
  expect(window.isEmpty(1_700_000_000_000 + 99_999 + minuteMs)).toBe(true);
});
