import type { Redis } from 'ioredis';

/**
 * Runs `ask` only on a live connection, and rejects when the answer takes longer than `timeoutMs`:
 * a Redis that is away or hangs must not hang its callers. An answer that has come while this process
 * was busy still counts, though the time is over: it is read before the turn's end.
 */
export function within<Answer>(client: Redis, timeoutMs: number, ask: () => Promise<Answer>): Promise<Answer> {
  if (client.status !== 'ready') return Promise.reject(new Error('Redis is out of reach'));
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`Redis did not answer within ${timeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    ask()
      .finally(() => clearTimeout(timer))
      .then(resolve, reject);
  });
}
