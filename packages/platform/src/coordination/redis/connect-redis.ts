import { Redis, type RedisOptions } from 'ioredis';
import type { Secret } from '../../config/secret.ts';
import type { Logger } from '../../log/logger.ts';

type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/** Connects and keeps reconnecting until `disconnect`; going away and coming back are each logged once. */
export function connectRedis(url: Secret, purpose: string, log: Logger, options: ConnectionOptions): Redis {
  const client = new Redis(url.reveal(), {
    connectionName: `portcullis-${purpose}`,
    connectTimeout: 2_000,
    disconnectTimeout: 200,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    ...options,
  });
  let away = false;
  client.on('error', (error: Error) => {
    if (!away) log.warn('Redis is out of reach', { connection: purpose, problem: error.message });
    away = true;
  });
  client.on('ready', () => {
    if (away) log.info('Redis is back', { connection: purpose });
    away = false;
  });
  return client;
}

/**
 * For callers who wait: what cannot be sent now is refused now, and nothing is sent a second time later.
 */
export const failFast: ConnectionOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
};

/**
 * Disconnects for good, also between two attempts to reconnect, where ioredis by itself would leave
 * those who wait for an answer waiting.
 */
export function hangUp(client: Redis): void {
  if (client.status === 'reconnecting') client.connect().catch(() => {});
  client.disconnect();
}
