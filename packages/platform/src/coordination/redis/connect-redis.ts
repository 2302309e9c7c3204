import { Redis, type RedisOptions } from 'ioredis';
import type { Secret } from '../../config/secret.ts';
import { ListeningConnector } from './listening-connector.ts';
import type { RedisStatus } from './redis-status.ts';

type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/** Connects and keeps reconnecting until `disconnect`. */
export function connectRedis(url: Secret, purpose: string, status: RedisStatus, options: ConnectionOptions): Redis {
  const client = new Redis(url.reveal(), {
    connectionName: `portcullis-${purpose}`,
    Connector: ListeningConnector,
    connectTimeout: 2_000,
    disconnectTimeout: 200,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    ...options,
  });
  client.on('error', (error: Error) => status.lost(purpose, error.message));
  client.on('ready', () => status.found(purpose));
  client.once('end', () => status.forget(purpose));
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
