import type { AgentTaskRecord } from '@portcullis/contracts/records';
import { isTerminal } from '@portcullis/core/a2a/task-state';
import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import { randomUUIDv7 } from 'node:crypto';
import type { StoredTask } from './stored-task.ts';

/** A task as the spool takes it. */
export const taskRecord = (stored: StoredTask): AgentTaskRecord =>
  omitUndefined({
    kind: 'agent_task',
    event_id: randomUUIDv7(),
    timestamp: stored.changedAt.toISOString(),
    id: stored.task.id,
    agent_id: stored.agentId,
    owner: stored.owner,
    context_id: stored.task.contextId,
    upstream_id: stored.upstreamId,
    upstream_context_id: stored.upstreamContextId,
    state: stored.task.status.state,
    ended: isTerminal(stored.task.status.state),
    task: stored.task,
  });
