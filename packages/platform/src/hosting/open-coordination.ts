import type { Secret } from '../config/secret.ts';
import type { Logger } from '../log/logger.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { createInProcessCoordination } from '../coordination/in-process/in-process-coordination.ts';

export interface CoordinationOptions {
  /** Where the processes meet; absent for a gateway that is one process. */
  readonly redisUrl?: Secret | undefined;
  /** Existing folder for what must survive a restart; unused with Redis. */
  readonly dataDirectory: string;
  readonly log: Logger;
  readonly keyPrefix?: string;
}

/** Opens the coordination the environment asks for, and reads the sources of that one alone. */
export async function openCoordination(options: CoordinationOptions): Promise<Coordination> {
  const { redisUrl, dataDirectory, log, keyPrefix = 'portcullis:' } = options;
  if (redisUrl === undefined) return createInProcessCoordination({ dataDirectory, log });
  const { openRedisCoordination } = await import('../coordination/redis/redis-coordination.ts');
  return openRedisCoordination({ url: redisUrl, log, keyPrefix });
}
