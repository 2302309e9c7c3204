import { mkdir, mkdtemp, readFile, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import * as fc from 'fast-check';
import { createLogger, transports } from 'winston';
import { PassThrough } from 'node:stream';
import { deadJobsKept, finishedIdsKept, maxInterruptions } from '../coordination.ts';
import { QueueJournal } from './queue-journal.ts';
import { QueueState, type QueueEntry } from './queue-state.ts';
import { InProcessQueue } from './queue.ts';

const log = createLogger({ silent: true });
const retry = { attempts: 3, backoffMs: 1 };
const add = (id: string): QueueEntry => ({ op: 'add', id, payload: { id, text: 'ü' }, retry });

const ids = fc.constantFrom('a', 'b', 'c');
const count = fc.integer({ min: 1, max: 5 });
const entry: fc.Arbitrary<QueueEntry> = fc.oneof(
  ids.map(add),
  fc.record({ op: fc.constant('start' as const), id: ids, starts: count }),
  fc.record({ op: fc.constant('fail' as const), id: ids, attempts: count, dueAtMs: fc.constant(7) }),
  fc.record({
    op: fc.constant('dead' as const),
    id: ids,
    attempts: count,
    reason: fc.constant('r'),
    at: fc.constant('t'),
  }),
  fc.record({ op: fc.constant('again' as const), id: ids }),
  fc.record({ op: fc.constant('done' as const), id: ids }),
);

function fold(applied: readonly QueueEntry[], state = new QueueState()): QueueState {
  for (const entry of applied) state.apply(entry);
  return state;
}
const snapshot = (state: QueueState) => Array.from(state.entries());

/** What a queue may write: entries about jobs that are where the entry needs them. */
function isPossible({ op, id }: QueueEntry, state: QueueState): boolean {
  if (op === 'add') return !state.knows(id);
  return op === 'again' ? state.dead.has(id) : state.jobs.has(id);
}
const history = fc.array(entry).map((drawn) => {
  const state = new QueueState();
  return drawn.filter((entry) => isPossible(entry, state) && fold([entry], state));
});

describe('the state of a queue', () => {
  test('its own entries lead to it again', () => {
    fc.assert(
      fc.property(history, (applied) => {
        const state = fold(applied);
        expect(snapshot(fold(snapshot(state)))).toEqual(snapshot(state));
      }),
    );
  });

  test('stays the same when its latest entries are applied again', () => {
    fc.assert(
      fc.property(history, fc.nat(), (applied, drawn) => {
        const jobsOf = ({ jobs, dead }: QueueState) => ({ jobs, dead });
        const state = fold(applied);
        const latest = applied.slice(drawn % (applied.length + 1));
        expect(jobsOf(fold([...snapshot(state), ...latest]))).toEqual(jobsOf(state));
      }),
    );
  });

  test('keeps a bounded number of finished ids and of dead jobs, the latest', () => {
    const state = new QueueState();
    for (let n = 0; n <= finishedIdsKept; n += 1) state.apply({ op: 'done', id: `done-${n}` });
    for (let n = 0; n <= deadJobsKept; n += 1) {
      state.apply(add(`dead-${n}`));
      state.apply({ op: 'dead', id: `dead-${n}`, attempts: 3, reason: '', at: '' });
    }
    expect([state.knows('done-0'), state.knows('done-1')]).toEqual([false, true]);
    expect([state.knows('dead-0'), state.dead.size]).toEqual([false, deadJobsKept]);
  });
});

describe('the journal of a queue', () => {
  let folder: string;
  let files = 0;
  const newPath = () => join(folder, 'queues', `queue-${(files += 1)}.jsonl`);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portcullis-journal-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function write(path: string, applied: readonly QueueEntry[]): Promise<void> {
    await using journal = new QueueJournal(path, log);
    for (const entry of applied) {
      journal.state.apply(entry);
      await journal.append(entry, { synced: false });
    }
  }

  async function read(path: string): Promise<readonly QueueEntry[]> {
    await using journal = new QueueJournal(path, log);
    return snapshot(journal.state);
  }

  test('cut off at any byte, gives the state after its last whole line', async () => {
    const cuts = fc.record({
      applied: history,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(cuts, async ({ applied, share }) => {
        const path = newPath();
        await write(path, applied);
        const bytes = await readFile(path);
        const cutAt = Math.floor(bytes.length * share);
        await truncate(path, cutAt);
        const wholeLines = bytes.subarray(0, cutAt).toString('latin1').split('\n').length - 1;
        expect(await read(path)).toEqual(snapshot(fold(applied.slice(0, wholeLines))));
      }),
      { numRuns: 50 },
    );
  });

  test('goes on cleanly after a torn line', async () => {
    const path = newPath();
    await write(path, [add('a'), add('b')]);
    await truncate(path, (await stat(path)).size - 3);
    await write(path, [add('c')]);
    expect((await read(path)).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  test('reports and skips a damaged line in the middle', async () => {
    const path = newPath();
    await write(path, [add('a'), add('b'), add('c')]);
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [lines[0], lines[1]?.slice(5), lines[2], ''].join('\n'));
    let said = '';
    const stream = new PassThrough().on('data', (text: Buffer) => (said += text.toString()));
    await using journal = new QueueJournal(path, createLogger({ transports: [new transports.Stream({ stream })] }));
    expect(Array.from(journal.state.jobs.keys())).toEqual(['a', 'c']);
    expect(said).toContain('"line":2');
  });

  test('stays small however long it runs', async () => {
    const path = newPath();
    const payload = 'x'.repeat(100_000);
    await using journal = new QueueJournal(path, log);
    for (let n = 0; n < 60; n += 1) {
      for (const entry of [{ ...add(`job-${n}`), payload }, { op: 'done', id: `job-${n}` } as const]) {
        journal.state.apply(entry);
        await journal.append(entry, { synced: false });
      }
    }
    expect((await stat(path)).size).toBeLessThan(2_000_000);
  });

  test('a queue that cannot be written refuses jobs, says why, and accepts them when the disk is back', async () => {
    const path = newPath();
    const name = `queue-${files}`;
    await mkdir(`${path}.new`, { recursive: true });
    await using queue = new InProcessQueue(name, folder, log);
    await expect(queue.add('a', null, retry)).rejects.toThrow('EISDIR');
    expect(queue.problem).toContain('EISDIR');
    expect(await queue.counts()).toMatchObject({ waiting: 0 });
    await rmdir(`${path}.new`);
    await queue.add('a', null, retry);
    expect(queue.problem).toBeUndefined();
    expect(await read(path)).toEqual([{ op: 'add', id: 'a', payload: null, retry }]);
  });

  test('a job that keeps killing its process ends among the dead', async () => {
    const path = newPath();
    const name = `queue-${files}`;
    await write(path, [add('poison'), { op: 'start', id: 'poison', starts: maxInterruptions + 1 }, add('fine')]);
    await using queue = new InProcessQueue(name, folder, log);
    const given: string[] = [];
    queue.process(async ({ id }) => void given.push(id), 1);
    await waitFor(() => given.length > 0, { what: 'a job' });
    expect(given).toEqual(['fine']);
    expect(await queue.deadJobs(1)).toMatchObject([
      { id: 'poison', attempts: 0, reason: expect.stringContaining('died 11 times') },
    ]);
  });

  test('counts a job as in hand that comes back without a pause', async () => {
    await using queue = new InProcessQueue('no-pause', folder, log);
    const counted: number[] = [];
    queue.process(async ({ lastAttempt }) => {
      await Promise.resolve();
      counted.push((await queue.counts()).active);
      if (!lastAttempt) throw new Error('not yet');
    }, 2);
    await queue.add('a', null, { attempts: 3, backoffMs: 0 });
    await waitFor(() => counted.length === 3, { what: 'the last attempt' });
    expect(counted).toEqual([1, 1, 1]);
  });
});
