import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';

/** Refuses a key whose user group is inactive. */
export const checkGroup: RequestStage<Exchange> = {
  name: 'check-group',
  run(exchange) {
    const group = exchange.key && exchange.snapshot.groups.get(exchange.key.groupId);
    if (group === undefined) return deny('group_inactive');
    exchange.group = group;
    return group.active ? next : deny('group_inactive');
  },
};
