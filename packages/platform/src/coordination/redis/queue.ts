import { Queue as BullQueue, UnrecoverableError, Worker, type Job as BullJob, type MinimalJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { problemText } from '../../lifecycle/problem.ts';
import type { Logger } from '../../log/logger.ts';
import {
  deadJobsKept,
  finishedIdsKept,
  maxInterruptions,
  type DeadJob,
  type Queue,
  type QueuedJob,
  type RetryRule,
} from '../coordination.ts';
import { PermanentFailure } from '../permanent-failure.ts';
import { retryDelayMs } from '../retry-delay.ts';
import { within } from './within.ts';

const timeoutMs = 2_000;

export interface RedisQueueOptions {
  readonly name: string;
  readonly keyPrefix: string;
  readonly log: Logger;
  /** Connection of those who add and ask. */
  readonly client: Redis;
  /** Opens a connection for a processor, one that waits out an outage. */
  readonly connect: () => Redis;
  /** Silence after which a job counts as left behind by a dead process. */
  readonly stalledAfterMs: number;
}

/** A durable queue in Redis, kept by BullMQ: dead jobs are its failed set. */
export class RedisQueue implements Queue<unknown> {
  readonly #options: RedisQueueOptions;
  readonly #queue: BullQueue;
  readonly #processors = new Set<AsyncDisposable>();

  constructor(options: RedisQueueOptions) {
    this.#options = options;
    this.#queue = new BullQueue(options.name, {
      connection: options.client,
      prefix: `${options.keyPrefix}queue`,
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { removeOnComplete: { count: finishedIdsKept }, removeOnFail: { count: deadJobsKept } },
    });
    // The connection reports its own troubles, and callers get theirs.
    this.#queue.on('error', () => {});
  }

  async add(id: string, payload: unknown, { attempts, backoffMs }: RetryRule): Promise<void> {
    const jobOptions = { jobId: toJobId(id), attempts, backoff: { type: 'capped', delay: backoffMs } };
    await this.#ask(() => this.#queue.add(this.#options.name, payload ?? null, jobOptions));
  }

  process(handle: (job: QueuedJob<unknown>) => Promise<void>, concurrency: number): AsyncDisposable {
    const processor = startProcessor(this.#options, handle, concurrency);
    this.#processors.add(processor);
    return processor;
  }

  async deadJobs(limit: number): Promise<readonly DeadJob<unknown>[]> {
    const jobs = limit > 0 ? await this.#ask(() => this.#queue.getFailed(0, limit - 1)) : [];
    return jobs.map((job) => ({
      id: fromJobId(job),
      payload: job.data,
      attempts: job.attemptsMade,
      reason: job.failedReason,
      failedAt: new Date(job.finishedOn ?? job.timestamp).toISOString(),
    }));
  }

  retryDead(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const job = await this.#queue.getJob(toJobId(id));
      if (job === undefined || !(await job.isFailed())) return false;
      await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
      return true;
    });
  }

  async counts() {
    const counts = await this.#ask(() => this.#queue.getJobCounts('wait', 'active', 'delayed', 'failed'));
    const { wait = 0, active = 0, delayed = 0, failed = 0 } = counts;
    return { waiting: wait, active, delayed, dead: failed };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#processors, (processor) => processor[Symbol.asyncDispose]()));
    await this.#queue.close();
  }

  #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return within(this.#options.client, timeoutMs, ask);
  }
}

/** BullMQ allows neither colons nor plain integers as ids. */
const toJobId = (id: string): string => `job-${encodeURIComponent(id)}`;
const fromJobId = (job: BullJob): string => decodeURIComponent((job.id ?? '').slice('job-'.length));

function startProcessor(
  { name, keyPrefix, log, connect, stalledAfterMs }: RedisQueueOptions,
  handle: (job: QueuedJob<unknown>) => Promise<void>,
  concurrency: number,
): AsyncDisposable {
  const inHand = new Set<Promise<void>>();
  const connection = connect();
  const worker = new Worker(
    name,
    (job) => {
      const run = runJob(job, handle);
      inHand.add(run);
      return run.finally(() => inHand.delete(run));
    },
    {
      connection,
      prefix: `${keyPrefix}queue`,
      concurrency,
      lockDuration: stalledAfterMs,
      stalledInterval: stalledAfterMs / 2,
      maxStalledCount: maxInterruptions,
      runRetryDelay: 1_000,
      settings: { backoffStrategy: (failedAttempts, _type, _error, job) => delayOf(job, failedAttempts) },
    },
  );
  worker.on('error', (error) => log.warn('A queue processor met a problem', { queue: name, problem: error.message }));
  worker.on('failed', (job, error) => {
    if (job?.finishedOn === undefined) return;
    const fields = { queue: name, job: fromJobId(job), attempts: job.attemptsMade, reason: error.message };
    log.error('A job has failed for good', fields);
  });
  return { [Symbol.asyncDispose]: () => endProcessor(worker, connection, inHand) };
}

async function runJob(job: BullJob, handle: (job: QueuedJob<unknown>) => Promise<void>): Promise<void> {
  const attempt = job.attemptsMade + 1;
  const lastAttempt = attempt >= (job.opts.attempts ?? 1);
  try {
    await handle({ id: fromJobId(job), payload: job.data, attempt, lastAttempt });
  } catch (error) {
    if (error instanceof PermanentFailure) throw new UnrecoverableError(error.message);
    throw error instanceof Error ? error : new Error(problemText(error), { cause: error });
  }
}

const delayOf = (job: MinimalJob | undefined, failedAttempts: number): number => {
  const backoff = job?.opts.backoff;
  return retryDelayMs({ backoffMs: typeof backoff === 'object' ? (backoff.delay ?? 0) : 0 }, failedAttempts);
};

/** Waits for the jobs in hand, and then a moment for Redis: what it cannot be told is given out again. */
async function endProcessor(worker: Worker, connection: Redis, inHand: Set<Promise<void>>): Promise<void> {
  const closed = worker.close();
  await Promise.allSettled(inHand);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  connection.disconnect();
}
