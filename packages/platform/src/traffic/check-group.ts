import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { TrafficExchange } from './traffic-exchange.ts';

/** Refuses a key whose user group is inactive. */
export const checkGroup: RequestStage<TrafficExchange> = {
  name: 'check-group',
  run(exchange) {
    const group = exchange.key && exchange.snapshot.groups.get(exchange.key.groupId);
    if (group === undefined) return deny('group_inactive');
    exchange.group = group;
    return group.active ? next : deny('group_inactive');
  },
};
