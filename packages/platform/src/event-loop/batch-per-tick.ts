import { setImmediate } from 'node:timers';

type Task = () => void;

/** Two lists in turn. A new one each time would be made in the old heap, where the dead keep what they refer to for long. */
let waiting: (Task | undefined)[] = [];
let running: (Task | undefined)[] = [];

/**
 * Does what came up in one turn of the event loop together, when everything that was there to be read in it is read, in
 * the order in which it came up. Work that follows work of its own kind finds its code and tables in the caches of the
 * processor, from which reading and writing between one and the next would drive them out.
 * @param task must not throw
 */
export function batchPerTick(task: Task): void {
  if (waiting.push(task) === 1) setImmediate(doAll);
}

function doAll(): void {
  [waiting, running] = [running, waiting];
  for (let place = 0; place < running.length; place += 1) {
    const task = running[place];
    running[place] = undefined;
    task?.();
  }
  running.length = 0;
}
