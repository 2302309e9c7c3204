import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import { holdLease } from '@portcullis/platform/coordination/held-lease';
import type { Database } from '@portcullis/platform/database/database';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import { recordEvents } from '@portcullis/platform/deliveries/record-events';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { compareStates } from './compare-states.ts';
import { loadGatewayState, type GatewayState } from './gateway-state.ts';
import { describeChange } from './describe-change.ts';
import { createThrottledWork } from './throttled-work.ts';

interface WatchParts {
  readonly database: Database;
  readonly coordination: Pick<Coordination, 'bus' | 'leases'>;
  readonly deliveries: Pick<DeliveryQueues, 'countDead'>;
  readonly log: Logger;
}

/** A lost notice heals by this poll, and what comes without notice is found: a process that died. */
const pollMs = 2_000;
const leaseMs = 6_000;
/**
 * A look reads what every proxy does: with thousands of them it must not follow each change of a script. With fewer it
 * does, since a rest would miss a proxy that is started and stopped again.
 */
const pace = { freeMs: 200, restFactor: 4, maxRestMs: pollMs };

/**
 * Looks at the gateway and publishes what has changed, also what other processes changed. Every replica throttled, so
 * that each can go on from what it has seen; the one with the lease publishes.
 */
export async function startLiveWatch(parts: WatchParts): Promise<AsyncDisposable> {
  const { database, log } = parts;
  const publishing = holdLease(parts.coordination, 'live-watch', leaseMs);
  let last: GatewayState | undefined;
  let failing = false;

  const look = async (): Promise<void> => {
    try {
      const state = await loadGatewayState(database, parts.deliveries);
      const events = last === undefined ? [] : compareStates(last, state, new Date());
      const holds = await publishing.holds();
      last = state;
      if (holds) await publishEvents(events, parts);
      failing = false;
    } catch (error) {
      if (!failing) log.warn('The gateway could not be watched', { problem: problemText(error) });
      failing = true;
    }
  };
  const throttled = createThrottledWork(look, pace);
  const scheduleLook = (): void => throttled.schedule();

  const unlisten = await Promise.all(
    ['proxy_states', 'config_changes'].map((name) => database.listen(name, scheduleLook)),
  );
  const polls = runEvery(async () => scheduleLook(), { intervalMs: pollMs, onFault: () => {} });
  return {
    async [Symbol.asyncDispose]() {
      await polls[Symbol.asyncDispose]();
      for (const end of unlisten) await end();
      await throttled[Symbol.asyncDispose]();
      await publishing.release();
    },
  };
}

/** Integrations first: what they are told waits in the database for them, and live watchers look again. */
async function publishEvents(events: readonly LiveEvent[], { database, coordination }: WatchParts): Promise<void> {
  const now = new Date();
  const changes = events.flatMap((event) => describeChange(event, now) ?? []);
  await recordEvents(database, changes);
  for (const event of events) await coordination.bus.publish(liveEventsTopic, event);
}
