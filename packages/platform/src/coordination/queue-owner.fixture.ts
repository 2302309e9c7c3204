import { createLogger } from 'winston';
import { Secret } from '../config/secret.ts';
import { createInProcessCoordination } from './in-process/in-process-coordination.ts';
import { openRedisCoordination } from './redis/redis-coordination.ts';

/** What the process shall do, given as JSON in its only argument. */
export interface QueueOwnerPlan {
  readonly dataDirectory?: string;
  readonly redis?: { readonly url: string; readonly keyPrefix: string; readonly stalledAfterMs: number };
  readonly queue?: string;
  readonly jobs?: number;
  readonly concurrency?: number;
}

/** Adds jobs, takes as many as it may in hand, says `ready` and waits to be killed. */
async function ownQueue(plan: QueueOwnerPlan): Promise<void> {
  const { dataDirectory = '', redis, queue: name = '', jobs = 0, concurrency = 1 } = plan;
  const log = createLogger({ silent: true });
  const coordination =
    redis === undefined
      ? createInProcessCoordination({ dataDirectory, log })
      : await openRedisCoordination({ ...redis, url: new Secret(redis.url), log });
  const queue = coordination.queue<{ text: string }>(name);
  for (let n = 1; n <= jobs; n += 1) await queue.add(`job-${n}`, { text: '' }, { attempts: 3, backoffMs: 40 });

  let inHand = 0;
  queue.process(() => {
    inHand += 1;
    if (inHand === concurrency) process.stdout.write('ready\n');
    return new Promise(() => {});
  }, concurrency);
  // Nothing else may keep the process alive.
  setInterval(() => {}, 60_000);
}

await ownQueue(JSON.parse(process.argv[2] ?? '{}'));
