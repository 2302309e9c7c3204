import { randomUUID } from 'node:crypto';
import type { IntegrationName } from '@portcullis/contracts/channels';
import type { GatewayEvent } from '@portcullis/contracts/gateway-events';
import type { Queryable } from '@portcullis/platform/database/database';
import { recordEvents } from '@portcullis/platform/deliveries/record-events';
import { withoutActor } from '@portcullis/platform/deliveries/system-event';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { sql } from 'kysely';
import type { DeliveryOutcome } from '../senders/delivery-outcome.ts';

type Status = 'working' | 'failing';

/** Attempts that fail one after the other before an integration counts as failing. One that is refused is enough. */
const failuresBeforeFailing = 3;
/** How long what was written down is taken for known: another process may have seen something else since. */
const statusCacheMs = 60_000;

export interface StatusWatch {
  /** Called with every attempt; a change is stored and sent to the other integrations. Never throws. */
  observe(channel: IntegrationName, outcome: DeliveryOutcome): void;
  /** Resolves when what was observed is written down. */
  settled(): Promise<void>;
}

/** Notices when integrations begin and cease to get through. */
export function createStatusWatch({ database, log }: Pick<Infrastructure, 'database' | 'log'>): StatusWatch {
  const known = new Map<IntegrationName, { readonly status: Status; readonly atMs: number }>();
  const failures = new Map<IntegrationName, number>();
  let writing: Promise<void> = Promise.resolve();

  const note = (channel: IntegrationName, status: Status, reason: string | null): void => {
    const now = performance.now();
    const last = known.get(channel);
    if (last?.status === status && now - last.atMs < statusCacheMs) return;
    known.set(channel, { status, atMs: now });
    writing = writing
      .then(() => saveStatus(database, channel, status, reason))
      .catch((error: unknown) => {
        // It is tried again with the next attempt.
        known.delete(channel);
        log.warn('The status of an integration could not be written down', { channel, problem: problemText(error) });
      });
  };

  return {
    observe(channel, outcome) {
      if (outcome.kind === 'delivered') {
        failures.delete(channel);
        return note(channel, 'working', null);
      }
      const count = (failures.get(channel) ?? 0) + 1;
      failures.set(channel, count);
      if (outcome.kind === 'refused' || count >= failuresBeforeFailing) note(channel, 'failing', outcome.reason);
    },
    settled: () => writing,
  };
}

/** Of all processes that see a change, the first one reports it. */
const saveStatus = (
  { kysely }: Queryable,
  channel: IntegrationName,
  status: Status,
  reason: string | null,
): Promise<void> =>
  kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('integration_states')
      .values({ channel, status, reason })
      .onConflict((conflict) =>
        conflict
          .column('channel')
          .doUpdateSet({ status, reason, changed_at: sql`now()` })
          .where('integration_states.status', '<>', status),
      )
      .returning(sql<boolean>`xmax = 0`.as('is_first'))
      .executeTakeFirst();
    // That one works from the beginning is no news.
    if (row === undefined || (row.is_first && status === 'working')) return;
    await recordEvents({ kysely: transaction }, [describeStatus(channel, status, reason)]);
  });

const describeStatus = (channel: IntegrationName, status: Status, reason: string | null): GatewayEvent => ({
  ...withoutActor,
  id: randomUUID(),
  kind: 'integration_status',
  event: `integration.${status}`,
  message:
    status === 'working'
      ? `The integration ${channel} gets through again`
      : `The integration ${channel} does not get through: ${reason ?? 'no reason given'}`,
  severity: status === 'working' ? 'Info' : 'High',
  result: status === 'working' ? 'success' : 'failure',
  timestamp: new Date().toISOString(),
  resource: { type: 'integration', id: channel, name: channel },
  error: reason,
  details: {},
});
