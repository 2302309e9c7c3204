import { describeScope } from '@portcullis/core/identity/name-scope';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Invocation } from '../invocation/invocation.ts';

/** Only invocations need an agent that is active: tasks that were begun stay readable. */
const needsActive: ReadonlySet<string> = new Set(['send', 'stream', 'cancel', 'subscribe']);

/** Lets admins reach all agents, and others those of their user groups. */
export const checkAgentAccess: RequestStage<Invocation> = {
  name: 'check-access',
  run(invocation) {
    const { user, proxy, call, snapshot, key } = invocation;
    if (user?.role === 'admin') {
      invocation.owner = `user:${user.id}`;
    } else {
      const groups = user === undefined ? [invocation.group?.id] : invocation.userGroups;
      const groupId = groups.find((id) => id !== undefined && proxy.access.get(id) !== undefined);
      if (groupId === undefined) return deny('agent_access_denied');
      invocation.access = proxy.access.get(groupId);
      invocation.group ??= snapshot.groups.get(groupId);
      invocation.owner = `group:${groupId}`;
    }
    if (key?.agents?.allows(proxy.name) === false) {
      return deny('scope_denied', { message: describeScope('allowed_agents', key.agents, proxy.name) });
    }
    return proxy.status !== 'active' && needsActive.has(call.operation) ? deny('agent_not_active') : next;
  },
};
