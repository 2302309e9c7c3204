import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { TrafficExchange } from './traffic-exchange.ts';

/** Refuses a key, or a client certificate, whose user group is inactive. */
export const checkGroup: RequestStage<TrafficExchange> = {
  name: 'check-group',
  run(exchange) {
    const groupId = exchange.key?.groupId ?? exchange.certificate?.groupId;
    const group = groupId === undefined ? undefined : exchange.snapshot.groups.get(groupId);
    if (group === undefined) return deny('group_inactive');
    exchange.group = group;
    return group.active ? next : deny('group_inactive');
  },
};
