import { jest } from '@jest/globals';

/**
 * From now on a timeout is over when `jest.advanceTimersByTime` says so, however slow the machine is. Everything else
 * that tells or takes time goes on. Ends with `jest.useRealTimers()`.
 */
export function stopTimeouts(): void {
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
    ],
  });
}
