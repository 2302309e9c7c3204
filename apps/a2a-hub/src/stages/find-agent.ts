import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Invocation } from '../invocation/invocation.ts';

/**
 * Finds the agent that is called. To those who are no admins one that does not exist is as one of others, so that they
 * learn nothing about what others have.
 */
export const findAgent: RequestStage<Invocation> = {
  name: 'find-agent',
  run(invocation) {
    const { asked, snapshot, user } = invocation;
    const agent = asked && snapshot.agents.get(asked.agentId);
    if (agent === undefined) return deny(user?.role === 'admin' ? 'not_found' : 'agent_access_denied');
    invocation.proxy = agent;
    return next;
  },
};
