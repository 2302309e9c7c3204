import { integrationRoutes as contract } from '@portcullis/contracts/all-routes';
import { createServiceApi } from '@portcullis/platform/service/service-api';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Service } from '@portcullis/platform/service/service';
import { disposeParts, healthOf, startParts, type ServicePart } from '@portcullis/platform/service/service-part';
import { openDestinations } from './channels/open-destinations.ts';
import { readNotifierConfig } from './config.ts';
import { openDeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import { createDeliveryWorkers } from './delivery/delivery-workers.ts';
import { createDigestSender } from './delivery/digest-sender.ts';
import { openDestinationCircuits } from './delivery/destination-circuits.ts';
import { createHttpSender } from './senders/http-sender.ts';
import { createMailSender } from './senders/mail-sender.ts';
import { createSyslogSender } from './senders/syslog-sender.ts';
import { deadLetterRoutes } from './integrations/dead-letter-routes.ts';
import { integrationRoutes } from './integrations/integration-routes.ts';
import { openTraceDestination } from './traces/trace-destination.ts';
import { createTraceExporter } from './traces/trace-exporter.ts';

const serviceName = 'notifier';

/** Fans alerts out: takes deliveries off the queues and sends them through the channels. Traces of requests to models go beside them. */
export function createNotifierService(shared: Infrastructure): Service {
  const infrastructure = { ...shared, log: shared.log.child({ service: serviceName }) };
  const config = readNotifierConfig(infrastructure.config);
  const api = createServiceApi(infrastructure, infrastructure.log);
  const http = createHttpSender(config.addresses);
  const tools = { http, mail: createMailSender(config.addresses), syslog: createSyslogSender(config.addresses) };
  const queues = openDeliveryQueues(infrastructure.coordination);
  const { destinations, circuitOf } = openDestinationCircuits(openDestinations(infrastructure, tools), {
    restMs: config.restMs,
    onChange: (channel, isOpen) => {
      infrastructure.metrics.gateway.countDeliveryCircuit(channel, isOpen);
      infrastructure.log[isOpen ? 'warn' : 'info'](`An integration is ${isOpen ? 'away' : 'back'}`, { channel });
    },
  });
  const workers = createDeliveryWorkers(infrastructure, destinations, config.drainMs);
  const digests = createDigestSender({ ...infrastructure, queues, destinations, retry: config.retry });
  const openTraces = () => openTraceDestination(infrastructure, http);
  const traces = createTraceExporter({ ...infrastructure, open: openTraces, restMs: config.restMs });
  // They end in reverse: workers before what they send with.
  const parts: readonly ServicePart[] = [api, http, queues, workers, digests, traces];
  const routes = api.mount({
    contract,
    bound: [
      ...integrationRoutes({ ...infrastructure, tools, queues, circuitOf, openTraces }), // /system/integrations
      ...deadLetterRoutes(infrastructure.database, queues), // /system/dead-letters
    ],
  });

  return {
    name: serviceName,
    mounts: ['/api/v1/system/integrations', '/api/v1/system/dead-letters'].map((prefix) => ({ prefix, http: routes })),
    start: () => startParts(parts),
    health: () => healthOf(parts),
    [Symbol.asyncDispose]: () => disposeParts(parts),
  };
}
