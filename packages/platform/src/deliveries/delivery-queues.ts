import { channelNames, type ChannelName } from '@portcullis/contracts/channels';
import { deliveryQueue, type DeliveryJob } from '@portcullis/contracts/events';
import type { Coordination, DeadJob, Queue } from '../coordination/coordination.ts';

/** The deliveries of all channels. */
export interface DeliveryQueues extends AsyncDisposable {
  of(channel: ChannelName): Queue<DeliveryJob>;
  /** Deliveries that were given up. */
  countDead(): Promise<number>;
  /** Newest first. */
  deadJobs(limit: number): Promise<readonly DeadJob<DeliveryJob>[]>;
  /** False when there is no such job. */
  retryDead(id: string): Promise<boolean>;
}

export function openDeliveryQueues(coordination: Pick<Coordination, 'queue'>): DeliveryQueues {
  const queues = new Map(
    channelNames.map((name) => [name, coordination.queue<DeliveryJob>(deliveryQueue(name))] as const),
  );
  const of = (channel: ChannelName): Queue<DeliveryJob> => {
    const queue = queues.get(channel);
    if (queue === undefined) throw new Error(`There is no queue of ${channel}`);
    return queue;
  };
  return {
    of,
    async countDead() {
      const counts = await Promise.all(Array.from(queues.values(), (queue) => queue.counts()));
      return counts.reduce((sum, { dead }) => sum + dead, 0);
    },
    async deadJobs(limit) {
      const lists = await Promise.all(Array.from(queues.values(), (queue) => queue.deadJobs(limit)));
      return lists
        .flat()
        .toSorted((one, other) => other.failedAt.localeCompare(one.failedAt))
        .slice(0, limit);
    },
    async retryDead(id) {
      const channel = channelNames.find((name) => id.startsWith(`${name}-`));
      return channel !== undefined && (await of(channel).retryDead(id));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Array.from(queues.values(), (queue) => queue[Symbol.asyncDispose]()));
    },
  };
}
