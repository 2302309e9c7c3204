import { Queue as BullQueue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../../log/logger.ts';
import {
  deadJobsKept,
  finishedIdsKept,
  type DeadJob,
  type Queue,
  type QueuedJob,
  type RetryRule,
} from '../coordination.ts';
import { fromJobId, toJobId } from './job-id.ts';
import { startRedisProcessor } from './processor.ts';
import { withTimeout } from './with-timeout.ts';

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
  readonly #prefix: string;
  readonly #queue: BullQueue;
  readonly #processors = new Set<AsyncDisposable>();

  constructor(options: RedisQueueOptions) {
    this.#options = options;
    this.#prefix = `${options.keyPrefix}queue`;
    this.#queue = new BullQueue(options.name, {
      connection: options.client,
      prefix: this.#prefix,
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
    const { name, log, connect, stalledAfterMs } = this.#options;
    const connection = connect();
    const prefix = this.#prefix;
    const processor = startRedisProcessor({ name, prefix, log, connection, stalledAfterMs, handle, concurrency });
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
    return withTimeout(this.#options.client, timeoutMs, ask);
  }
}
