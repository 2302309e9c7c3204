import type { Redis } from 'ioredis';

/** A wait is over after so many turns of a timer; a process that was busy for long has taken one of them. */
const intervals = 5;

/**
 * Runs `ask` only on a live connection, and rejects when the answer takes longer than `timeoutMs`:
 * a Redis that is away or hangs must not hang its callers. Time in which this process was too busy to send
 * or to read is not held against Redis, and an answer that has come is read before it is given up.
 * @param onReply called once with how many turns were over when the answer came or was given up
 */
export function withTimeout<Answer>(
  client: Redis,
  timeoutMs: number,
  ask: () => Promise<Answer>,
  onReply?: (turnsTaken: number) => void,
): Promise<Answer> {
  if (client.status !== 'ready') return Promise.reject(new Error('Redis is out of reach'));
  return new Promise((resolve, reject) => {
    let left = intervals;
    let isOver = false;
    const end = () => {
      if (!isOver) onReply?.(intervals - left);
      isOver = true;
    };
    const giveUp = () => {
      end();
      reject(new Error(`Redis did not answer within ${timeoutMs} ms`));
    };
    const timer = setTimeout(() => {
      left -= 1;
      if (left > 0) timer.refresh();
      else setImmediate(giveUp);
    }, timeoutMs / intervals);
    ask()
      .finally(() => {
        clearTimeout(timer);
        end();
      })
      .then(resolve, reject);
  });
}
