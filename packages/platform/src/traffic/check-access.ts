import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { TrafficExchange } from './traffic-exchange.ts';

/** Refuses a caller whose group has no active access to what it asks for. */
export const checkAccess: RequestStage<TrafficExchange> = {
  name: 'check-access',
  run(exchange) {
    const access = exchange.group && exchange.proxy.access.get(exchange.group.id);
    if (access === undefined) return deny('access_denied');
    exchange.access = access;
    return next;
  },
};
