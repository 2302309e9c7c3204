import { holdLease } from './held-lease.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { beginAttempt, type DelayRule, type DelayState } from '@portcullis/core/rate-limit/backoff';
import { RollingWindow } from '@portcullis/core/rate-limit/rolling-window';
import { returnToken, takeToken, type BucketRule, type BucketFullAtUs } from '@portcullis/core/rate-limit/token-bucket';
import { waitFor } from '@portcullis/testkit/wait-for';
import * as fc from 'fast-check';
import type { Coordination, QueuedJob, RetryRule } from './coordination.ts';
import { PermanentFailure } from './permanent-failure.ts';
import type { QueueOwnerPlan } from './queue-owner.fixture.ts';

interface OpenOptions {
  readonly nowUs?: () => number;
  /** How soon a job of a dead process is given out again, where that takes any time. */
  readonly stalledAfterMs?: number;
}

/** One store under test, with its own files or its own prefix. */
export interface CoordinationStore extends AsyncDisposable {
  /** Opens the store as a process does at its start. Only one is open at a time. */
  open(options?: OpenOptions): Promise<Coordination>;
  /** How the process of `queue-owner.fixture.ts` opens the same store. */
  readonly plan: QueueOwnerPlan;
}

interface Payload {
  readonly text: string;
}

const threeAttempts: RetryRule = { attempts: 3, backoffMs: 40 };

/** What both implementations promise, part by part. */
export function describeCoordination(implementation: string, openStore: () => Promise<CoordinationStore>): void {
  describe(`coordination ${implementation}`, () => {
    let store: CoordinationStore;
    let coordination: Coordination;
    let names = 0;
    const name = () => `work-${(names += 1)}`;

    beforeAll(async () => {
      store = await openStore();
      coordination = await store.open();
    });
    afterAll(async () => {
      await coordination[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    });

    /** Ends the process' part and begins it anew, as a restart does. */
    async function restart(): Promise<void> {
      await coordination[Symbol.asyncDispose]();
      coordination = await store.open();
    }

    test('check passes while the store answers', async () => {
      await expect(coordination.check()).resolves.toBeUndefined();
    });

    describe('attempts', () => {
      test('answer exactly as the pure delay does, for any order of keys, rules and pauses', async () => {
        let nowUs = 0;
        const rule: fc.Arbitrary<DelayRule> = fc.record({
          freeAttempts: fc.integer({ min: 1, max: 4 }),
          firstDelayMs: fc.constantFrom(1, 700),
          maxDelayMs: fc.constantFrom(1_500, 6_000),
          forgetAfterMs: fc.constantFrom(6_000, 20_000),
        });
        const request = fc.record({
          key: fc.constantFrom('ann', 'bob:x'),
          rule,
          pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9_000 })),
          clear: fc.nat({ max: 9 }).map((number) => number === 0),
        });
        const timed = await store.open({ nowUs: () => nowUs });
        let run = 0;
        try {
          await fc.assert(
            fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
              const states = new Map<string, DelayState>();
              run += 1;
              nowUs = 1_700_000_000_000_000;
              for (const { key, rule, pauseMs, clear } of requests) {
                nowUs += pauseMs * 1_000;
                const { state, answer } = beginAttempt(states.get(key), rule, nowUs / 1_000);
                states.set(key, state);
                expect(await timed.attempts.begin(`${run}-${key}`, rule)).toEqual(answer);
                if (!clear) continue;
                states.delete(key);
                await timed.attempts.clear(`${run}-${key}`);
              }
            }),
            { numRuns: 50 },
          );
        } finally {
          await timed[Symbol.asyncDispose]();
        }
      });

      test('are counted one by one when they come at once', async () => {
        const rule = { freeAttempts: 5, firstDelayMs: 60_000, maxDelayMs: 60_000, forgetAfterMs: 60_000 };
        const answers = await Promise.all(
          Array.from({ length: 30 }, async () => coordination.attempts.begin('crowd', rule)),
        );
        expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5);
      });
    });

    describe('buckets', () => {
      test('answer exactly as the pure bucket does, for any order of keys, rules and pauses', async () => {
        let nowUs = 0;
        const rule: fc.Arbitrary<BucketRule> = fc.record({
          capacity: fc.integer({ min: 0, max: 6 }),
          refillPerSecond: fc.constantFrom(1, 0.7, 50),
        });
        const request = fc.record({
          key: fc.constantFrom('ann', 'bob:x'),
          rule,
          pauseUs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000_000 })),
          returns: fc.boolean(),
        });
        const timed = await store.open({ nowUs: () => nowUs });
        let run = 0;
        try {
          await fc.assert(
            fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
              const states = new Map<string, BucketFullAtUs | undefined>();
              run += 1;
              nowUs = 1_700_000_000_000_000;
              for (const { key, rule, pauseUs, returns } of requests) {
                nowUs += pauseUs;
                const { state, answer } = takeToken(states.get(key), rule, nowUs);
                states.set(key, state);
                expect(await timed.buckets.take(`${run}-${key}`, rule)).toEqual(answer);
                if (!returns) continue;
                states.set(key, returnToken(state, rule, nowUs));
                await timed.buckets.giveBack(`${run}-${key}`, rule);
              }
            }),
            { numRuns: 40 },
          );
        } finally {
          await timed[Symbol.asyncDispose]();
        }
      });

      test('let exactly the capacity pass when all come at once', async () => {
        const rule = { capacity: 7, refillPerSecond: 0.001 };
        const answers = await Promise.all(
          Array.from({ length: 50 }, async () => coordination.buckets.take('crowd', rule)),
        );
        expect(answers.filter(({ allowed }) => allowed)).toHaveLength(7);
      });

      test('refill by their own clock', async () => {
        const rule = { capacity: 1, refillPerSecond: 5 };
        const take = async () => (await coordination.buckets.take('clock', rule)).allowed;
        await waitFor(async () => !(await take()), { what: 'an empty bucket' });
        expect(await waitFor(take, { what: 'a token' })).toBe(true);
      });
    });

    describe('windows', () => {
      test('answer exactly as the pure window does, for any order of keys, limits and pauses', async () => {
        let nowUs = 0;
        const request = fc.record({
          key: fc.constantFrom('ann', 'bob:x'),
          limit: fc.integer({ min: 1, max: 5 }),
          pauseUs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000_000 })),
        });
        const timed = await store.open({ nowUs: () => nowUs });
        let run = 0;
        try {
          await fc.assert(
            fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (requests) => {
              const windows = new Map<string, RollingWindow>();
              run += 1;
              nowUs = 1_700_000_000_000_000;
              for (const { key, limit, pauseUs } of requests) {
                nowUs += pauseUs;
                const window = windows.get(key) ?? new RollingWindow();
                windows.set(key, window);
                const expected = window.count(limit, nowUs / 1_000);
                expect(await timed.windows.take(`${run}-${key}`, limit)).toEqual(expected);
              }
            }),
            { numRuns: 40 },
          );
        } finally {
          await timed[Symbol.asyncDispose]();
        }
      });

      test('let exactly the limit pass when all come at once', async () => {
        const answers = await Promise.all(
          Array.from({ length: 50 }, async () => coordination.windows.take('crowd', 20)),
        );
        expect(answers.filter(({ allowed }) => allowed)).toHaveLength(20);
      });
    });

    describe('accounts', () => {
      const claim = (key: string, limit: number, atLeastSpent = 0) => ({ key, limit, atLeastSpent });

      test('hold while less than the limit is spent and held, and settle what was held', async () => {
        const key = name();
        const first = await coordination.accounts.reserve([claim(key, 100)], 60);
        const second = await coordination.accounts.reserve([claim(key, 100)], 60);
        expect(second.balances).toEqual([{ spent: 0, held: 60 }]);
        const third = await coordination.accounts.reserve([claim(key, 100)], 1);
        expect(third).toEqual({ reservation: undefined, balances: [{ spent: 0, held: 120 }] });

        if (first.reservation === undefined || second.reservation === undefined) throw new Error('nothing is held');
        expect(await coordination.accounts.settle(first.reservation, 70)).toEqual([70]);
        expect(await coordination.accounts.settle(second.reservation, 0)).toEqual([70]);
        const fourth = await coordination.accounts.reserve([claim(key, 100)], 1);
        expect(fourth.balances).toEqual([{ spent: 70, held: 0 }]);
        expect(fourth.reservation).toBeDefined();
      });

      test('hold in all accounts or in none', async () => {
        const [open, full] = [name(), name()];
        const refused = await coordination.accounts.reserve([claim(open, 100), claim(full, 100, 100)], 10);
        expect(refused).toEqual({
          reservation: undefined,
          balances: [
            { spent: 0, held: 0 },
            { spent: 100, held: 0 },
          ],
        });
        expect((await coordination.accounts.reserve([claim(open, 100)], 10)).balances).toEqual([{ spent: 0, held: 0 }]);
      });

      test('are raised to what is known from elsewhere, and never lowered', async () => {
        const key = name();
        const spent = async (known: number) =>
          (await coordination.accounts.reserve([claim(key, 0, known)], 0)).balances[0]?.spent;
        expect(await spent(500)).toBe(500);
        expect(await spent(0)).toBe(500);
        expect(await spent(501)).toBe(501);
      });

      test('count who shares them', async () => {
        expect(await coordination.accounts.share()).toBe(1);
        expect(await coordination.accounts.share()).toBe(1);
      });

      test('let no more pass than the limit when all come at once', async () => {
        const key = name();
        const answers = await Promise.all(
          Array.from({ length: 200 }, async () => coordination.accounts.reserve([claim(key, 1_000)], 100)),
        );
        expect(answers.filter(({ reservation }) => reservation !== undefined)).toHaveLength(10);
      });
    });

    describe('bus', () => {
      const subscriptions: (() => Promise<void>)[] = [];
      afterEach(async () => {
        for (const end of subscriptions.splice(0)) await end();
      });
      async function listen(topic: string, hear?: (message: unknown) => void): Promise<unknown[]> {
        const heard: unknown[] = [];
        subscriptions.push(await coordination.bus.subscribe(topic, hear ?? ((message) => heard.push(message))));
        return heard;
      }

      test('carries messages to every listener of the topic, in order, each its own copy', async () => {
        const [first, second, other] = [await listen('news'), await listen('news'), await listen('news-2')];
        for (const n of [1, 2, 3]) await coordination.bus.publish('news', { n, list: [n] });
        await waitFor(() => first.length === 3 && second.length === 3, { what: 'three messages at both' });
        expect(first).toEqual([1, 2, 3].map((n) => ({ n, list: [n] })));
        expect(second).toEqual(first);
        expect(second[0]).not.toBe(first[0]);
        expect(other).toEqual([]);
      });

      test('delivers after the publisher has gone on', async () => {
        const heard = await listen('later');
        const published = coordination.bus.publish('later', 'x');
        expect(heard).toEqual([]);
        await published;
        await waitFor(() => heard.length === 1, { what: 'the message' });
      });

      test('a listener that throws harms neither the others nor the publisher', async () => {
        await listen('trouble', () => {
          throw new Error('a fault of the test');
        });
        const heard = await listen('trouble');
        await coordination.bus.publish('trouble', null);
        await waitFor(() => heard.length === 1, { what: 'the message' });
        expect(heard).toEqual([null]);
      });

      test('an ended subscription hears nothing more, the others do', async () => {
        const ended: unknown[] = [];
        const end = await coordination.bus.subscribe('ends', (message) => ended.push(message));
        const heard = await listen('ends');
        await end();
        await coordination.bus.publish('ends', 1);
        await waitFor(() => heard.length === 1, { what: 'the message' });
        expect(ended).toEqual([]);
      });
    });

    describe('leases', () => {
      test('have one holder at a time', async () => {
        const lease = await coordination.leases.acquire('one', 60_000);
        expect(lease).toBeDefined();
        expect(await coordination.leases.acquire('one', 60_000)).toBeUndefined();
        expect(await coordination.leases.acquire('another', 60_000)).toBeDefined();
        expect(await lease?.renew()).toBe(true);
        await lease?.release();
        expect(await coordination.leases.acquire('one', 60_000)).toBeDefined();
      });

      test('are lost when not renewed, and then neither renew nor release touches the next holder', async () => {
        const late = await coordination.leases.acquire('short', 30);
        const next = await waitFor(() => coordination.leases.acquire('short', 60_000), {
          what: 'the lease to run out',
        });
        expect(await late?.renew()).toBe(false);
        await late?.release();
        expect(await next.renew()).toBe(true);
        expect(await coordination.leases.acquire('short', 30)).toBeUndefined();
      });
    });

    describe('kept leases', () => {
      test('are held on by one, and by the next when it lets go', async () => {
        const [one, other] = [holdLease(coordination, 'kept', 60_000), holdLease(coordination, 'kept', 60_000)];
        expect([await one.holds(), await other.holds(), await one.holds()]).toEqual([true, false, true]);
        await other.release();
        expect(await one.holds()).toBe(true);
        await one.release();
        expect([await other.holds(), await one.holds()]).toEqual([true, false]);
      });

      test('go to another when they were not renewed in time', async () => {
        const [late, next] = [holdLease(coordination, 'late', 30), holdLease(coordination, 'late', 60_000)];
        expect(await late.holds()).toBe(true);
        await waitFor(() => next.holds(), { what: 'the lease to run out' });
        expect(await late.holds()).toBe(false);
      });
    });

    describe('queues', () => {
      const processors: AsyncDisposable[] = [];
      afterEach(async () => {
        for (const processor of processors.splice(0)) await processor[Symbol.asyncDispose]();
      });

      /** Processes the queue and keeps what it was given; `outcome` decides about each attempt. */
      function work(
        queue: string,
        outcome: (job: QueuedJob<Payload>) => Promise<void> = () => Promise.resolve(),
        concurrency = 1,
      ): QueuedJob<Payload>[] {
        const given: QueuedJob<Payload>[] = [];
        const handle = (job: QueuedJob<Payload>) => {
          given.push(job);
          return outcome(job);
        };
        processors.push(coordination.queue<Payload>(queue).process(handle, concurrency));
        return given;
      }

      const finish = (queue: string) =>
        waitFor(
          async () => {
            const { waiting, active, delayed } = await coordination.queue(queue).counts();
            return waiting + active + delayed === 0;
          },
          { what: `queue ${queue} to be empty` },
        );

      test('give out each job once, in order, with what it carries', async () => {
        const queue = name();
        for (const id of ['b', 'a', 'c:1', '7', 'ü %']) {
          await coordination.queue<Payload>(queue).add(id, { text: `of ${id}` }, threeAttempts);
        }
        expect(await coordination.queue(queue).counts()).toEqual({ waiting: 5, active: 0, delayed: 0, dead: 0 });
        const given = work(queue);
        await finish(queue);
        expect(given.map(({ id, payload, attempt, lastAttempt }) => [id, payload.text, attempt, lastAttempt])).toEqual(
          ['b', 'a', 'c:1', '7', 'ü %'].map((id) => [id, `of ${id}`, 1, false]),
        );
      });

      test('accept an id once: while it waits, when it is done, and after a restart', async () => {
        const queue = name();
        const add = () => coordination.queue<Payload>(queue).add('same', { text: '' }, threeAttempts);
        await Promise.all([add(), add()]);
        await restart();
        await add();
        const given = work(queue);
        await finish(queue);
        await add();
        await processors.pop()?.[Symbol.asyncDispose]();
        await restart();
        await add();
        expect(await coordination.queue(queue).counts()).toEqual({ waiting: 0, active: 0, delayed: 0, dead: 0 });
        expect(given).toHaveLength(1);
      });

      test('try again with doubling pauses', async () => {
        const queue = name();
        const times: number[] = [];
        const given = work(queue, async () => {
          times.push(performance.now());
          if (times.length < 3) throw new Error('not yet');
        });
        await coordination.queue<Payload>(queue).add('bad', { text: '' }, threeAttempts);
        await waitFor(() => given.length === 3, { what: 'three attempts' });
        expect(given.map(({ attempt, lastAttempt }) => [attempt, lastAttempt])).toEqual([
          [1, false],
          [2, false],
          [3, true],
        ]);
        const [first = 0, second = 0, third = 0] = times;
        // Timers may fire a millisecond early.
        expect(second - first).toBeGreaterThanOrEqual(threeAttempts.backoffMs - 2);
        expect(third - second).toBeGreaterThanOrEqual(2 * threeAttempts.backoffMs - 2);
        await finish(queue);
        expect(await coordination.queue(queue).deadJobs(10)).toEqual([]);
      });

      test('go on with other jobs while one pauses', async () => {
        const queue = name();
        const given = work(queue, ({ id }) =>
          id === 'bad' ? Promise.reject(new Error('not yet')) : Promise.resolve(),
        );
        for (const id of ['bad', 'good']) {
          await coordination.queue<Payload>(queue).add(id, { text: '' }, { attempts: 3, backoffMs: 600_000 });
        }
        await waitFor(() => given.length === 2, { what: 'both jobs' });
        await waitFor(async () => (await coordination.queue(queue).counts()).active === 0, { what: 'both to end' });
        expect(await coordination.queue(queue).counts()).toEqual({ waiting: 0, active: 0, delayed: 1, dead: 0 });
      });

      test('keep a job that failed for good, with the reason, and give it all its attempts again on request', async () => {
        const queue = name();
        work(queue, () => Promise.reject(new Error('the webhook is down')));
        for (const id of ['first', 'second']) {
          await coordination.queue<Payload>(queue).add(id, { text: id }, { attempts: 2, backoffMs: 1 });
          await finish(queue);
        }
        await restart();
        const dead = await coordination.queue<Payload>(queue).deadJobs(10);
        expect(dead).toMatchObject(
          ['second', 'first'].map((id) => ({ id, payload: { text: id }, attempts: 2, reason: 'the webhook is down' })),
        );
        expect(Date.parse(dead[0]?.failedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
        expect(await coordination.queue(queue).deadJobs(1)).toHaveLength(1);
        expect(await coordination.queue(queue).deadJobs(0)).toEqual([]);

        const again = work(queue);
        await coordination.queue<Payload>(queue).add('first', { text: 'not accepted while dead' }, threeAttempts);
        expect(await coordination.queue(queue).retryDead('first')).toBe(true);
        expect(await coordination.queue(queue).retryDead('first')).toBe(false);
        expect(await coordination.queue(queue).retryDead('unheard of')).toBe(false);
        await finish(queue);
        expect(again).toEqual([{ id: 'first', payload: { text: 'first' }, attempt: 1, lastAttempt: false }]);
        expect((await coordination.queue(queue).deadJobs(10)).map(({ id }) => id)).toEqual(['second']);
      });

      test('give up at once on a failure that no further attempt can help', async () => {
        const queue = name();
        const given = work(queue, () => Promise.reject(new PermanentFailure('no such webhook')));
        await coordination.queue<Payload>(queue).add('hopeless', { text: '' }, threeAttempts);
        await finish(queue);
        expect(await coordination.queue(queue).deadJobs(10)).toMatchObject([
          { attempts: 1, reason: 'no such webhook' },
        ]);
        expect(given).toHaveLength(1);
      });

      test('run as many jobs at once as asked, and wait for those in hand when they end', async () => {
        const queue = name();
        let release = () => {};
        const held = new Promise<void>((resolve) => (release = resolve));
        let done = 0;
        const given = work(
          queue,
          async () => {
            await held;
            done += 1;
          },
          2,
        );
        for (const id of ['a', 'b', 'c']) await coordination.queue<Payload>(queue).add(id, { text: '' }, threeAttempts);
        await waitFor(async () => (await coordination.queue(queue).counts()).active === 2, {
          what: 'two jobs in hand',
        });
        expect(await coordination.queue(queue).counts()).toEqual({ waiting: 1, active: 2, delayed: 0, dead: 0 });
        const ended = processors.pop()?.[Symbol.asyncDispose]();
        expect(done).toBe(0);
        release();
        await ended;
        expect(done).toBe(2);
        expect(given).toHaveLength(2);
        expect(await coordination.queue(queue).counts()).toEqual({ waiting: 1, active: 0, delayed: 0, dead: 0 });
      });

      test('two handles share one queue; disposing one ends only what it started', async () => {
        const queue = name();
        const [one, two] = [coordination.queue<Payload>(queue), coordination.queue<Payload>(queue)];
        const given: string[] = [];
        one.process(async () => void given.push('one'), 1);
        await one.add('x', { text: '' }, threeAttempts);
        await finish(queue);
        await one[Symbol.asyncDispose]();
        await two.add('y', { text: '' }, threeAttempts);
        expect(await one.counts()).toEqual({ waiting: 1, active: 0, delayed: 0, dead: 0 });
        processors.push(two.process(async () => void given.push('two'), 1));
        await finish(queue);
        expect(given).toEqual(['one', 'two']);
      });

      test('refuse names that are no file names', () => {
        expect(() => coordination.queue('../up')).toThrow('no name for a queue');
      });

      test('a delayed job keeps its attempts and its pause over a restart', async () => {
        const [queue, longer] = [name(), name()];
        let failedAt = 0;
        const fail = () => {
          failedAt = performance.now();
          return Promise.reject(new Error('down'));
        };
        for (const [each, backoffMs] of [[longer, 600_000] as const, [queue, 500] as const]) {
          const failing = work(each, fail);
          await coordination.queue<Payload>(each).add('later', { text: '' }, { attempts: 2, backoffMs });
          await waitFor(() => failing.length > 0, { what: 'the first attempt' });
        }
        await restart();
        expect((await coordination.queue(longer).counts()).delayed).toBe(1);
        const given = work(queue);
        await waitFor(() => given.length === 1, { what: 'the second attempt' });
        expect(given[0]?.attempt).toBe(2);
        // Timers may fire a millisecond early.
        expect(performance.now() - failedAt).toBeGreaterThanOrEqual(498);
      });

      test('give out again what a killed process had in hand, and what it had not yet begun', async () => {
        const queue = name();
        await coordination[Symbol.asyncDispose]();
        await killOwnerWithJobsInHand({ ...store.plan, queue, jobs: 3, concurrency: 2 });
        // A job in hand is far quicker, however slow the machine: nothing is given out again that is not left behind.
        coordination = await store.open({ stalledAfterMs: 2_000 });
        const given = work(queue);
        await waitFor(() => given.length === 3, { what: 'all three jobs' });
        expect(given.map(({ id, attempt }) => `${id} ${attempt}`).toSorted()).toEqual([
          'job-1 1',
          'job-2 1',
          'job-3 1',
        ]);
        await finish(queue);
      });
    });
  });
}

/** Lets another process add the jobs and take some in hand, and kills it then. */
async function killOwnerWithJobsInHand(plan: QueueOwnerPlan): Promise<void> {
  const fixture = new URL('./queue-owner.fixture.ts', import.meta.url).pathname;
  const owner = spawn(process.execPath, [fixture, JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(owner, 'exit');
  let said = '';
  owner.stdout.on('data', (text: Buffer) => (said += text.toString()));
  try {
    await waitFor(() => said.includes('ready'), { what: 'the owner to have its jobs in hand' });
  } finally {
    owner.kill('SIGKILL');
    await ended;
  }
}
