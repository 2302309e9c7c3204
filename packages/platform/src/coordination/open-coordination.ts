import type { Secret } from '../config/secret.ts';
import type { Logger } from '../log/logger.ts';
import type { Coordination } from './coordination.ts';
import { createInProcessCoordination } from './in-process/in-process-coordination.ts';
import { openRedisCoordination } from './redis/redis-coordination.ts';

export interface CoordinationOptions {
  /** Where the processes meet; absent for a gateway that is one process. */
  readonly redisUrl?: Secret | undefined;
  /** Existing folder for what must survive a restart; unused with Redis. */
  readonly dataDirectory: string;
  readonly log: Logger;
  readonly keyPrefix?: string;
}

/** Opens the coordination the environment asks for. */
export async function openCoordination(options: CoordinationOptions): Promise<Coordination> {
  const { redisUrl, dataDirectory, log, keyPrefix = 'portcullis:' } = options;
  return redisUrl === undefined
    ? createInProcessCoordination({ dataDirectory, log })
    : openRedisCoordination({ url: redisUrl, log, keyPrefix });
}
