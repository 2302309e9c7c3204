import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runTimeSliced } from './run-time-sliced.ts';

let now = 0;

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Work of some steps, each of which takes so many milliseconds. */
function* work(name: string, steps: number, ms: number, events: string[]): Generator<undefined, string> {
  for (let step = 0; step < steps; step += 1) {
    now += ms;
    events.push(name);
    yield;
  }
  return name;
}

/** Writes down every turn of the event loop until it is stopped. */
function noteTurns(events: string[]): () => void {
  const turn = (): void => {
    events.push('turn');
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return () => {
    clearImmediate(next);
  };
}

test('work lets the event loop turn when its slice is over', async () => {
  const events: string[] = [];
  const stop = noteTurns(events);
  expect(await runTimeSliced(work('a', 5, 4, events))).toBe('a');
  stop();
  expect(events.join(' ')).toMatch(/^a a turn( turn)* a a turn( turn)* a( turn)*$/);
});

test('of all work together, one slice goes on in a turn', async () => {
  const events: string[] = [];
  const stop = noteTurns(events);
  const names = ['a', 'b', 'c'];
  expect(await Promise.all(names.map((name) => runTimeSliced(work(name, 3, 9, events))))).toEqual(names);
  stop();
  // No caller has a second slice before something else could run.
  expect(events.join('')).not.toMatch(/(?:a|b|c){2}/);
  expect(
    events
      .filter((event) => event !== 'turn')
      .toSorted()
      .join(''),
  ).toBe('aaabbbccc');
});

test('what a step throws is what the work comes to', async () => {
  const failing = function* (): Generator<undefined, void> {
    yield;
    throw new Error('broken');
  };
  await expect(runTimeSliced(failing())).rejects.toThrow('broken');
});
