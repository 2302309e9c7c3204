import { jest } from '@jest/globals';

const goingOn = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** Lets the date stand still for the whole file, so that no day and no month ends meanwhile. Timers go on. */
export const stopClock = (): Date => {
  const now = new Date();
  jest.useFakeTimers({ now, doNotFake: [...goingOn] });
  return now;
};
