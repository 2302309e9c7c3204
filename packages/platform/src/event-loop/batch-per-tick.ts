import { setImmediate } from 'node:timers';

let waiting: (() => void)[] = [];

/**
 * Does what came up in one turn of the event loop together, when everything that was there to be read in it is read, in
 * the order in which it came up. Work that follows work of its own kind finds its code and tables in the caches of the
 * processor, from which reading and writing between one and the next would drive them out.
 * @param task must not throw
 */
export function batchPerTick(task: () => void): void {
  if (waiting.push(task) === 1) setImmediate(doAll);
}

function doAll(): void {
  const tasks = waiting;
  waiting = [];
  for (const task of tasks) task();
}
