import { jest } from '@jest/globals';

const goesOn = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

/**
 * From now on a timeout is over when `jest.advanceTimersByTime` says so, however slow the machine is. Everything else
 * that tells or takes time goes on. Ends with `jest.useRealTimers()`.
 */
export function fakeTimeouts(): void {
  jest.useFakeTimers({ doNotFake: ['Date', ...goesOn] });
}

/** From now on it is this moment, so that no month ends meanwhile. Everything that takes time goes on. */
export function fakeCalendar(now: Date): void {
  jest.useFakeTimers({ now, doNotFake: ['setTimeout', 'clearTimeout', ...goesOn] });
}
