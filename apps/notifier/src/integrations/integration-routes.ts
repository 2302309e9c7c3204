import { integrationNames, type IntegrationName } from '@portcullis/contracts/channels';
import {
  listIntegrations,
  testIntegration,
  testIntegrations,
  type IntegrationTest,
} from '@portcullis/contracts/routes/integrations';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { ChannelTools, Destination } from '../channels/shared/channel.ts';
import { openDestination } from '../channels/open-destinations.ts';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import type { DestinationCircuits } from '../delivery/destination-circuits.ts';
import type { TraceDestination } from '../traces/trace-destination.ts';
import { loadIntegrationStates } from './integration-states.ts';

interface IntegrationParts extends Pick<Infrastructure, 'database' | 'encryption'> {
  readonly tools: ChannelTools;
  readonly queues: DeliveryQueues;
  readonly circuitOf: DestinationCircuits['circuitOf'];
  readonly openTraces: () => Promise<TraceDestination>;
}

/** What a test needs of any of them. */
type Tested = Pick<Destination, 'missing' | 'verify'>;

/** Longer than the bounds of every channel. */
const testTimeoutMs = 30_000;

export function integrationRoutes(parts: IntegrationParts): BoundRoute[] {
  const { database, tools, openTraces } = parts;
  const open = (name: IntegrationName): Promise<Tested> =>
    name === 'llm_observability' ? openTraces() : openDestination(name, parts, tools);
  const test = async (call: AuditedCall, name: IntegrationName, destination: Tested): Promise<IntegrationTest> => {
    const outcome = await destination.verify(AbortSignal.timeout(testTimeoutMs));
    const success = outcome.kind === 'delivered';
    const tested = {
      event: 'integration.tested',
      resource: { type: 'integration', id: name, name },
      result: success ? 'success' : 'failure',
      ...(!success && { error_message: outcome.reason }),
    } as const;
    await recordAudit(database.kysely, auditEntry(call, tested));
    return { success, status_code: outcome.status, message: success ? 'Test message sent' : outcome.reason };
  };

  return [
    bind(listIntegrations, async () => ({
      data: await loadIntegrationStates(parts, (name) => openDestination(name, parts, tools)),
    })),

    bind(testIntegrations, async (call) => {
      const opened = await Promise.all(integrationNames.map(async (name) => ({ name, destination: await open(name) })));
      const ready = opened.filter(({ destination }) => destination.missing === undefined);
      const data = await Promise.all(
        ready.map(async ({ name, destination }) => ({
          integration: name,
          ...(await test(call, name, destination)),
        })),
      );
      return { data };
    }),

    bind(testIntegration, async (call) => {
      const wanted = call.params.integration;
      const name = wanted === 'slack' ? 'chat' : wanted;
      const destination = await open(name);
      if (destination.missing !== undefined) throw new GatewayError('conflict', { message: destination.missing });
      return { data: await test(call, name, destination) };
    }),
  ];
}
