import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { TrafficExchange } from './traffic-exchange.ts';

/** Refuses a key, a client certificate or a login whose user group is inactive. A user without a group has no access. */
export const checkGroup: RequestStage<TrafficExchange> = {
  name: 'check-group',
  run(exchange) {
    const groupId = exchange.key?.groupId ?? exchange.certificate?.groupId ?? exchange.user?.groupId;
    if (groupId === undefined && exchange.user !== undefined) return next;
    const group = groupId === undefined ? undefined : exchange.snapshot.groups.get(groupId);
    if (group === undefined) return deny('group_inactive');
    exchange.group = group;
    return group.active ? next : deny('group_inactive');
  },
};
