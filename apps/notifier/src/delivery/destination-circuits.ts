import type { ChannelName } from '@portcullis/contracts/channels';
import type { BreakerState } from '@portcullis/core/resilience/circuit-breaker';
import type { CachedSettings } from '@portcullis/platform/settings/cached-settings';
import type { Destination } from '../channels/shared/channel.ts';
import type { Destinations, OpenedDestination } from '../channels/open-destinations.ts';
import type { DeliveryOutcome } from '../senders/delivery-outcome.ts';
import { DestinationCircuit } from './destination-circuit.ts';

export interface DestinationCircuits {
  /** They send through their circuits. */
  readonly destinations: Destinations;
  circuitOf(channel: ChannelName): BreakerState;
}

interface GuardOptions {
  readonly restMs: number;
  readonly onChange: (channel: ChannelName, isOpen: boolean) => void;
}

/** Puts a circuit before each destination. Settings that change what it is or how it is reached close the circuit. */
export function openDestinationCircuits(
  destinations: Destinations,
  { restMs, onChange }: GuardOptions,
): DestinationCircuits {
  const circuits = new Map(
    Array.from(destinations.keys(), (channel) => [
      channel,
      new DestinationCircuit({ restMs, onChange: (isOpen) => onChange(channel, isOpen) }),
    ]),
  );
  return {
    destinations: new Map(
      Array.from(destinations, ([channel, opened]) => [channel, guard(opened, circuits.get(channel))]),
    ),
    circuitOf: (channel) => circuits.get(channel)?.state ?? 'closed',
  };
}

function guard(
  opened: CachedSettings<OpenedDestination>,
  circuit: DestinationCircuit | undefined,
): CachedSettings<OpenedDestination> {
  if (circuit === undefined) return opened;
  let revision: string | undefined;
  const current = async (): Promise<OpenedDestination> => {
    const destination = await opened.current();
    if (revision !== undefined && revision !== destination.revision) circuit.reset();
    ({ revision } = destination);
    return destination;
  };
  const through =
    <Message>(
      { revision: own }: OpenedDestination,
      send: (message: Message, signal: AbortSignal) => Promise<DeliveryOutcome>,
    ) =>
    (message: Message, signal: AbortSignal): Promise<DeliveryOutcome> =>
      circuit.send({
        attempt: () => send(message, signal),
        isCurrent: async () => (await current()).revision === own,
        signal,
      });
  return {
    problem: opened.problem,
    async current() {
      const destination = await current();
      const { events } = destination;
      const send: Destination['send'] = through(destination, destination.send);
      if (events === undefined) return { ...destination, send };
      return { ...destination, send, events: { ...events, send: through(destination, events.send) } };
    },
  };
}
