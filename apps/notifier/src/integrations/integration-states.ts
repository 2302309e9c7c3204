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
  readonly last_error_at: string | null;
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
    state: judgeState({ enabled, canSend: missing === undefined && state.last_error === null }),
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
      const [{ enabled, missing }, counts, latest, isFailing] = await Promise.all([
        open(name),
        queues.of(name).counts(),
        loadLatest(database, name),
        isKnownFailing(database, name),
      ]);
      const circuit = circuitOf(name);
      return {
        integration: name,
        section: channelSections[name],
        state: judgeState({ enabled, canSend: missing === undefined && circuit === 'closed' && !isFailing }),
        enabled,
        missing: missing ?? null,
        circuit,
        waiting: counts.waiting + counts.active + counts.delayed,
        dead_letters: counts.dead,
        last_delivery_at: latest?.delivered_at ?? null,
        last_error: latest?.last_error ?? null,
        last_error_at: latest?.last_error_at ?? null,
      };
    }),
  );

async function loadLatest({ kysely }: Pick<Database, 'kysely'>, channel: ChannelName): Promise<Latest | undefined> {
  const { rows } = await sql<Latest>`
    select
      (select to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
       from alert_deliveries where channel = ${channel} and status = 'delivered') as delivered_at,
      latest.last_error,
      case when latest.last_error is not null
        then to_char(latest.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as last_error_at
    from (select 1) one left join lateral (
      select last_error, updated_at from alert_deliveries where channel = ${channel} order by updated_at desc limit 1) latest on true
  `.execute(kysely);
  return rows[0];
}

/** What the deliveries of all processes came to: one that was refused, or several failures in a row. */
async function isKnownFailing({ kysely }: Pick<Database, 'kysely'>, channel: ChannelName): Promise<boolean> {
  const row = await kysely
    .selectFrom('integration_states')
    .select('status')
    .where('channel', '=', channel)
    .executeTakeFirst();
  return row?.status === 'failing';
}

const judgeState = ({ enabled, canSend }: { readonly enabled: boolean; readonly canSend: boolean }) =>
  !enabled ? 'off' : canSend ? 'ok' : 'failing';
