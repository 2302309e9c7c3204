import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { InspectedUnit } from './inspected-unit.ts';
import { SlicedFilter, type SteppedFilter } from './sliced-filter.ts';

let now = 0;
let events: string[] = [];

beforeEach(() => {
  events = [];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

interface Unit extends InspectedUnit {
  readonly bytes: Buffer;
}

const unit = (text: string): Unit => ({
  bytes: Buffer.from(text),
  content: { kind: 'texts', texts: [{ channel: 'body', text, path: [], isKey: false }] },
});
const long = (letter: string) => unit(letter.repeat(40_000));
const nameOf = ({ bytes }: Unit) => bytes.toString('utf8', 0, 1);

/** Takes a long unit in three steps, each of which is a slice, and has an opinion about some. */
const filter: SteppedFilter<Unit> = {
  push(given) {
    events.push(nameOf(given));
    return judge(given);
  },
  *pushCooperatively(given) {
    try {
      for (let step = 1; step <= 3; step += 1) {
        now += 9;
        events.push(`${nameOf(given)}${step}`);
        yield;
      }
      return judge(given);
    } finally {
      events.push('left');
    }
  },
  sizeOf: ({ bytes }) => bytes.length,
  end: () => (events.push('end'), { kind: 'release', units: [unit('z')] }),
};

function judge(given: Unit): StreamVerdict<Unit> {
  if (nameOf(given) === 'f') throw new Error('broken');
  return nameOf(given) === 'x'
    ? { kind: 'cut', denial: { reason: 'policy_violation_response' }, units: [] }
    : { kind: 'release', units: [given] };
}

/** Opens a filter; `woken` is what it says when it wakes its chain. */
function open() {
  let tell: (verdict: StreamVerdict<Unit>) => void;
  const turns: SlicedFilter<Unit> = new SlicedFilter(filter, () => {
    const verdict = turns.wake();
    events.push('wake');
    tell(verdict);
  });
  const woken = new Promise<StreamVerdict<Unit>>((resolve) => {
    tell = resolve;
  });
  return { turns, woken };
}

const leaves = (verdict: StreamVerdict<Unit>) =>
  verdict.kind === 'hold' ? [] : verdict.units.map((given) => nameOf(given));

test('short units are taken at once', () => {
  const { turns } = open();
  expect(leaves(turns.push(unit('a')))).toEqual(['a']);
  expect(leaves(turns.end())).toEqual(['z']);
  expect([turns.congested, turns.waiting]).toEqual([false, false]);
  expect(events).toEqual(['a', 'end']);
});

test('long bytes without a text in them are taken at once', () => {
  const { turns } = open();
  const picture: Unit = { ...long('p'), content: { kind: 'texts', texts: [] } };
  expect(leaves(turns.push(picture))).toEqual(['p']);
});

test('others go on between the steps for a long unit, while its target pauses and those behind it wait', async () => {
  const { turns, woken } = open();
  expect(turns.push(long('a')).kind).toBe('hold');
  expect(turns.congested).toBe(true);
  for (const text of ['b', 'c']) expect(turns.push(unit(text)).kind).toBe('hold');
  setImmediate(() => events.push('another request'));
  expect(leaves(await woken)).toEqual(['a', 'b', 'c']);
  expect(turns.congested).toBe(false);
  expect(events.join(' ')).toMatch(/^a1 (?:.* )?another request .*a3 left b c wake$/);
  expect(leaves(turns.push(unit('d')))).toEqual(['d']);
});

test('the end waits for what is still read', async () => {
  const { turns, woken } = open();
  turns.push(long('a'));
  expect(turns.end().kind).toBe('hold');
  expect(turns.waiting).toBe(true);
  expect(leaves(await woken)).toEqual(['a', 'z']);
  expect(turns.waiting).toBe(false);
  expect(events.slice(-3)).toEqual(['left', 'end', 'wake']);
});

test('a unit that comes when all was read and that is not known yet is not left behind', async () => {
  const { turns, woken } = open();
  jest.spyOn(performance, 'now').mockReturnValue(0);
  turns.push(long('a'));
  expect(events).toContain('left');
  turns.push(unit('b'));
  turns.end();
  const left = leaves(await woken);
  expect(left).toEqual(['a']);
  expect(events).toContain('b');
});

test('nothing behind a unit that is refused is looked at', async () => {
  const { turns, woken } = open();
  turns.push(long('a'));
  turns.push(unit('x'));
  turns.push(unit('b'));
  const verdict = await woken;
  expect(verdict).toMatchObject({ kind: 'cut', denial: { reason: 'policy_violation_response' } });
  expect(leaves(verdict)).toEqual(['a']);
  expect(events).not.toContain('b');
});

test('what throws in a slice is thrown when it wakes', async () => {
  let thrown: unknown;
  await new Promise<void>((resolve) => {
    const turns: SlicedFilter<Unit> = new SlicedFilter(filter, () => {
      try {
        turns.wake();
      } catch (error) {
        thrown = error;
      }
      resolve();
    });
    turns.push(long('f'));
  });
  expect(thrown).toEqual(new Error('broken'));
});

test('once it is closed nothing more is read and no waiter is woken', async () => {
  const { turns } = open();
  turns.push(long('a'));
  turns.push(unit('b'));
  turns.close();
  expect(events).toEqual(['a1', 'left']);
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual(['a1', 'left']);
});
