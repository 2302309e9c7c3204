import { once } from 'node:events';
import type { Redis } from 'ioredis';
import type { Secret } from '../../config/secret.ts';
import type { Logger } from '../../log/logger.ts';
import type { Coordination } from '../coordination.ts';
import { StartProblem } from '../../errors/start-problem.ts';
import { QueueRegistry } from '../queue-registry.ts';
import { createRedisAccounts } from './accounts.ts';
import { createRedisAttemptLimiter } from './attempt-limiter.ts';
import { createRedisBuckets } from './buckets.ts';
import { createRedisBus } from './bus.ts';
import { connectRedis, failFast } from './connect-redis.ts';
import { dropWhenSilent } from './drop-when-silent.ts';
import { createRedisLeases } from './leases.ts';
import { RedisBreaker } from './redis-breaker.ts';
import { RedisQueue } from './queue.ts';
import { RedisStatus } from './redis-status.ts';
import { RedisBatcher } from './redis-batcher.ts';
import { createRedisWindows } from './windows.ts';
import { withTimeout } from './with-timeout.ts';

const connectTimeoutMs = 2_000;
const silentMs = 1_000;

export interface RedisCoordinationOptions {
  readonly url: Secret;
  readonly log: Logger;
  /** Start of every key and channel. */
  readonly keyPrefix: string;
  /** Silence after which a job counts as left behind by a dead process. */
  readonly stalledAfterMs?: number;
  /** How long a caller waits for a bucket or an account; a quarter of a second unless given. */
  readonly answerTimeoutMs?: number;
  /** Clock of buckets, windows and attempts, microseconds; Redis' own unless given. */
  readonly nowUs?: (() => number) | undefined;
}

/**
 * Coordination between processes over Redis. Resolves also when Redis does not answer yet: every
 * call then rejects at once, the log says why, and all comes to life when Redis does.
 */
export async function openRedisCoordination(options: RedisCoordinationOptions): Promise<Coordination> {
  const { url, log, keyPrefix, stalledAfterMs = 10_000, answerTimeoutMs = 250, nowUs } = options;
  const status = new RedisStatus(log);
  const connect = (purpose: string, more: Parameters<typeof connectRedis>[3]) =>
    connectRedis(url, purpose, status, more);
  const client = connect('calls', failFast);
  const subscriber = connect('subscriptions', failFast);
  const queueClient = connect('queues', failFast);
  const clients = [client, subscriber, queueClient];
  for (const each of clients) dropWhenSilent(each, silentMs);
  const queues = new QueueRegistry(
    (name) =>
      new RedisQueue({
        name,
        keyPrefix,
        log,
        client: queueClient,
        connect: () => connect(`queue-${name}`, { maxRetriesPerRequest: null }),
        stalledAfterMs,
      }),
  );
  await Promise.all(clients.map(readyOrLate));
  if (await isCluster(client)) {
    for (const each of clients) each.disconnect();
    throw new StartProblem(clusterProblem);
  }
  const onAnswer = (refusal: string | undefined): void =>
    refusal === undefined ? status.accepted() : status.refused(refusal);
  const batch = new RedisBatcher({ client, timeoutMs: answerTimeoutMs, nowUs, onAnswer });
  const limits = { keyPrefix, batch, breaker: new RedisBreaker(client, answerTimeoutMs) };

  return {
    buckets: createRedisBuckets(limits),
    windows: createRedisWindows(limits),
    attempts: createRedisAttemptLimiter(client, keyPrefix, nowUs),
    accounts: createRedisAccounts({ client, keyPrefix, batch, timeoutMs: answerTimeoutMs }),
    bus: createRedisBus(client, subscriber, keyPrefix, log),
    leases: createRedisLeases(client, keyPrefix),
    queue: (name) => queues.handle(name),
    async check() {
      // One that answers may take nothing: a replica, or one whose memory is full.
      const written = batch.ask({
        kind: 'take',
        keys: [`${keyPrefix}bucket:check`],
        args: () => [1_000_000, 1],
        read: () => undefined,
      });
      await Promise.all([...clients.map((each) => withTimeout(each, connectTimeoutMs, () => each.ping())), written]);
    },
    problem: () => status.problem,
    async [Symbol.asyncDispose]() {
      await queues[Symbol.asyncDispose]();
      for (const each of clients) each.disconnect();
    },
  };
}

const clusterProblem =
  'REDIS_URL leads to a Redis in cluster mode, which keeps what belongs together on several nodes: give it a single server, or one behind a name that follows its replicas';

/** One that is late, or tells nothing of itself, is taken for a single server. */
const isCluster = async (client: Redis): Promise<boolean> => {
  if (client.status !== 'ready') return false;
  const ask = withTimeout(client, connectTimeoutMs, () => client.info('cluster')).catch(() => '');
  return /\bcluster_enabled:1\b/.test(await ask);
};

async function readyOrLate(client: Redis): Promise<void> {
  if (client.status === 'ready') return;
  const signal = AbortSignal.timeout(connectTimeoutMs);
  await once(client, 'ready', { signal }).catch(() => {});
}
