import { UnrecoverableError, Worker, type Job, type MinimalJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { problemText } from '../../errors/problem.ts';
import type { Logger } from '../../log/logger.ts';
import { maxInterruptions, type QueuedJob } from '../coordination.ts';
import { PermanentFailure } from '../permanent-failure.ts';
import { jitteredDelayMs } from '../retry-delay.ts';
import { hangUp } from './connect-redis.ts';
import { fromJobId } from './job-id.ts';

/** How long an ending processor waits for Redis to hear what became of the last jobs. */
const lastWordsMs = 2_000;

export interface RedisProcessorOptions {
  readonly name: string;
  /** BullMQ's prefix of the queue's keys. */
  readonly prefix: string;
  readonly log: Logger;
  /** A connection of its own that waits out an outage. */
  readonly connection: Redis;
  /** Silence after which a job counts as left behind by a dead process. */
  readonly stalledAfterMs: number;
  readonly handle: (job: QueuedJob<unknown>) => Promise<void>;
  readonly concurrency: number;
}

/** Runs the jobs of a queue in this process until disposed. What Redis was not told in time is given out again. */
export function startRedisProcessor(options: RedisProcessorOptions): AsyncDisposable {
  const { name, prefix, log, connection, stalledAfterMs, handle, concurrency } = options;
  const connections = trackDuplicates(connection);
  const inHand = new Set<Promise<void>>();
  const run = (job: Job): Promise<void> => {
    const running = runJob(job, handle).finally(() => inHand.delete(running));
    inHand.add(running);
    return running;
  };
  const worker = new Worker(name, run, {
    connection,
    prefix,
    concurrency,
    lockDuration: stalledAfterMs,
    stalledInterval: stalledAfterMs / 2,
    maxStalledCount: maxInterruptions,
    runRetryDelay: 1_000,
    settings: { backoffStrategy: (failedAttempts, _type, _error, job) => delayMs(job, failedAttempts) },
  });
  worker.on('error', (error) => {
    // The connection reports an outage itself, once.
    if (connection.status !== 'ready') return;
    log.warn('A queue processor met a problem', { queue: name, problem: error.message });
  });
  worker.on('failed', (job, error) => {
    if (job?.finishedOn === undefined) return;
    const fields = { queue: name, job: fromJobId(job), attempts: job.attemptsMade, reason: error.message };
    log.error('A job has failed for good', fields);
  });

  return {
    async [Symbol.asyncDispose]() {
      const closed = worker.close();
      await Promise.allSettled(inHand);
      const breaker = setTimeout(() => connections.forEach(hangUp), connection.status === 'ready' ? lastWordsMs : 0);
      await closed;
      clearTimeout(breaker);
      connections.forEach(hangUp);
    },
  };
}

/** The connection and, as they come, those that BullMQ makes of it: it does not let go of them while Redis is away. */
function trackDuplicates(connection: Redis): readonly Redis[] {
  const connections = [connection];
  const duplicate = connection.duplicate.bind(connection);
  connection.duplicate = (override) => {
    const made = duplicate(override);
    connections.push(made);
    return made;
  };
  return connections;
}

async function runJob(job: Job, handle: RedisProcessorOptions['handle']): Promise<void> {
  const attempt = job.attemptsMade + 1;
  const lastAttempt = attempt >= (job.opts.attempts ?? 1);
  try {
    await handle({ id: fromJobId(job), payload: job.data, attempt, lastAttempt });
  } catch (error) {
    if (error instanceof PermanentFailure) throw new UnrecoverableError(error.message);
    throw error instanceof Error ? error : new Error(problemText(error), { cause: error });
  }
}

const delayMs = (job: MinimalJob | undefined, failedAttempts: number): number => {
  const backoff = job?.opts.backoff;
  return jitteredDelayMs({ backoffMs: typeof backoff === 'object' ? (backoff.delay ?? 0) : 0 }, failedAttempts);
};
