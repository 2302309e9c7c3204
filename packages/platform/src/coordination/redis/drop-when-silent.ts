import type { Redis } from 'ioredis';

/** A silence is over after so many turns of a timer; a process that stood still for long has taken one of them. */
const intervals = 5;

/**
 * Drops the connection whenever an answer is due and nothing comes for about `silentMs`, so that further calls fail at
 * once while Redis hangs. Time in which this process stood still is not held against Redis.
 */
export function dropWhenSilent(client: Redis, silentMs: number): void {
  let heardBytes = 0;
  let left = intervals;
  const look = (): void => {
    if (client.status !== 'ready' && client.status !== 'connect') return;
    const { bytesRead } = client.stream;
    const isSilent = client.commandQueue.length > 0 && bytesRead === heardBytes;
    heardBytes = bytesRead;
    left = isSilent ? left - 1 : intervals;
    if (left > 0) return;
    left = intervals;
    client.stream.destroy(new Error(`Redis says nothing for ${silentMs} ms`));
  };
  const timer = setInterval(look, silentMs / intervals).unref();
  client.once('end', () => clearInterval(timer));
}
