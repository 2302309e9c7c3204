import { channelNames, channelSections, type ChannelName, type IntegrationName } from '@portcullis/contracts/channels';
import type { IntegrationState } from '@portcullis/contracts/routes/integrations';
import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
import type { Destination } from '../channels/shared/channel.ts';
import type { DestinationCircuits } from '../delivery/destination-circuits.ts';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import type { TraceDestination } from '../traces/trace-destination.ts';
import { loadTraceState } from '../traces/trace-rows.ts';

interface Latest {
  readonly delivered_at: string | null;
  readonly last_error: string | null;
}

interface StateSources extends Pick<DestinationCircuits, 'circuitOf'> {
  readonly database: Pick<Database, 'kysely'>;
  readonly queues: DeliveryQueues;
  readonly openTraces: () => Promise<TraceDestination>;
}

/** Whether each integration is ready, and how its deliveries go. @throws when settings cannot be read or a store is away */
export const loadIntegrationStates = async (
  sources: StateSources,
  open: (name: ChannelName) => Promise<Destination>,
): Promise<IntegrationState[]> => [...(await loadChannelStates(sources, open)), await loadTracing(sources)];

async function loadTracing({ database, openTraces }: StateSources): Promise<IntegrationState> {
  const [{ enabled, missing }, state] = await Promise.all([openTraces(), loadTraceState(database)]);
  const name: IntegrationName = 'llm_observability';
  return {
    integration: name,
    section: name,
    enabled,
    missing: missing ?? null,
    circuit: state.last_error === null ? 'closed' : 'open',
    dead_letters: 0,
    ...state,
  };
}

const loadChannelStates = (
  { database, queues, circuitOf }: StateSources,
  open: (name: ChannelName) => Promise<Destination>,
): Promise<IntegrationState[]> =>
  Promise.all(
    channelNames.map(async (name): Promise<IntegrationState> => {
      const [{ enabled, missing }, counts, latest] = await Promise.all([
        open(name),
        queues.of(name).counts(),
        loadLatest(database, name),
      ]);
      return {
        integration: name,
        section: channelSections[name],
        enabled,
        missing: missing ?? null,
        circuit: circuitOf(name),
        waiting: counts.waiting + counts.active + counts.delayed,
        dead_letters: counts.dead,
        last_delivery_at: latest?.delivered_at ?? null,
        last_error: latest?.last_error ?? null,
      };
    }),
  );

async function loadLatest({ kysely }: Pick<Database, 'kysely'>, channel: ChannelName): Promise<Latest | undefined> {
  const { rows } = await sql<Latest>`
    select
      (select to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
       from alert_deliveries where channel = ${channel} and status = 'delivered') as delivered_at,
      (select last_error from alert_deliveries where channel = ${channel} order by updated_at desc limit 1) as last_error
  `.execute(kysely);
  return rows[0];
}
