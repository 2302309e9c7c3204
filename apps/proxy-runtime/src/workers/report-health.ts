import type { Service } from '@portcullis/platform/service/service';
import type { SupervisorChannel } from './worker-messages.ts';

const everyMs = 1_000;

/** The service, whose health is told to the supervising process now and then. */
export function reportHealth(service: Service, channel: SupervisorChannel): Service {
  let timer: NodeJS.Timeout | undefined;
  return {
    name: service.name,
    health: () => service.health(),
    async start() {
      await service.start();
      timer = setInterval(() => channel.send({ kind: 'health', health: service.health() }), everyMs);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await service[Symbol.asyncDispose]();
    },
  };
}
