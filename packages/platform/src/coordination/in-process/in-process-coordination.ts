import type { Logger } from '../../log/logger.ts';
import type { Coordination } from '../coordination.ts';
import { QueueRegistry } from '../queue-registry.ts';
import { createInProcessAccounts } from './accounts.ts';
import { createInProcessAttemptLimiter } from './attempt-limiter.ts';
import { createInProcessBuckets } from './buckets.ts';
import { createInProcessBus } from './bus.ts';
import { createInProcessLeases } from './leases.ts';
import { InProcessQueue } from './queue.ts';
import { createInProcessWindows } from './windows.ts';

export interface InProcessCoordinationOptions {
  /** Queues live in its folder `queues`. One process at a time may use it. */
  readonly dataDirectory: string;
  readonly log: Logger;
  /** Clock of buckets, windows and attempts, microseconds. */
  readonly nowUs?: (() => number) | undefined;
}

/** Coordination for a gateway that is one process: everything in memory, the queues on disk as well. */
export function createInProcessCoordination({ dataDirectory, log, nowUs }: InProcessCoordinationOptions): Coordination {
  const opened: InProcessQueue[] = [];
  const queues = new QueueRegistry((name) => {
    const queue = new InProcessQueue(name, dataDirectory, log);
    opened.push(queue);
    return queue;
  });

  return {
    buckets: createInProcessBuckets({ nowUs }),
    windows: createInProcessWindows({ nowUs }),
    attempts: createInProcessAttemptLimiter({ nowUs }),
    accounts: createInProcessAccounts(),
    bus: createInProcessBus(log),
    leases: createInProcessLeases(),
    queue: (name) => queues.handle(name),
    async check() {
      const problem = opened.find((queue) => queue.problem !== undefined)?.problem;
      if (problem !== undefined) throw new Error(`A queue cannot be written: ${problem}`);
    },
    problem: () => undefined,
    [Symbol.asyncDispose]: () => queues[Symbol.asyncDispose](),
  };
}
