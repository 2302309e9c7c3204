import type { SendCall } from '@portcullis/core/a2a/call';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { Message } from '@portcullis/core/a2a/task';
import { hash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Invocation } from '../invocation/invocation.ts';
import { makeId } from '../invocation/task-ids.ts';
import type { StoredTask } from '../tasks/stored-task.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { denyWhileDatabaseAway } from './find-task.ts';

/** How long the repeat of a message waits for what comes of the first. */
const maxWaitMs = 25_000;
const pollIntervalMs = 250;

/**
 * A message comes to its agent once: one with the same name from the same owner gets what came of the first. The names
 * that the gateway makes itself are new by themselves. Whether an agent took the message of a hub that was killed cannot be
 * known, so it is not sent again: it comes to a task that has failed and says so.
 */
export const createRecallMessage = (store: TaskStore): RequestStage<Invocation> => ({
  name: 'recall-message',
  run(invocation) {
    const { call, asked } = invocation;
    if ((call.operation !== 'send' && call.operation !== 'stream') || asked?.isNamed !== true) return next;
    return recall(invocation, call, store).catch(denyWhileDatabaseAway);
  },
});

async function recall(invocation: Invocation, { message }: SendCall, store: TaskStore): Promise<Verdict> {
  const { proxy, owner } = invocation;
  if (owner === undefined) return next;
  const key = { agentId: proxy.id, owner, messageId: message.messageId };
  // The protocol's reader has put its members in order; what repeats is sent as it was.
  const fingerprint = hash('sha256', JSON.stringify(message));
  if (await store.claimMessage(key, fingerprint)) {
    invocation.claimed = true;
    return next;
  }
  for (let waited = 0; waited <= maxWaitMs; waited += pollIntervalMs) {
    const known = await store.findMessage(key);
    // Nothing came of the first: this one takes its place.
    if (known === undefined) return recall(invocation, { operation: 'send', message }, store);
    if (known.fingerprint !== fingerprint) return deny('message_reused');
    if (known.taskId !== undefined) {
      invocation.recalled = await store.find(proxy.id, owner, known.taskId);
      return next;
    }
    if (known.isAbandoned) {
      const task = lostTask(invocation, message);
      const stored = { agentId: proxy.id, owner, task, ...neverNamed, changedAt: new Date() };
      if (await store.saveAbandoned(stored, key)) {
        invocation.recalled = stored;
        return next;
      }
      continue;
    }
    await wait(pollIntervalMs, undefined, { signal: invocation.caller.signal }).catch(() => undefined);
    if (invocation.caller.signal.aborted) return deny('client_closed');
  }
  return deny('message_under_way', { headers: { 'retry-after': '5' } });
}

const neverNamed = { upstreamId: undefined, upstreamContextId: undefined };

/** Stands for what came of a message whose hub has ended. */
function lostTask({ spoken }: Invocation, message: Message): StoredTask['task'] {
  const ids = { taskId: makeId(), contextId: message.contextId ?? makeId() };
  const said: Message = {
    messageId: randomUUID(),
    role: 'ROLE_AGENT',
    parts: [{ text: lostText }],
    ...ids,
    metadata: { reason: 'outcome_unknown' },
  };
  const written = 'message' in spoken ? spoken.message : message;
  return {
    id: ids.taskId,
    contextId: ids.contextId,
    status: { state: 'TASK_STATE_FAILED', message: said, timestamp: new Date().toISOString() },
    history: [{ ...written, ...ids }],
  };
}

const lostText =
  'The gateway stopped while the agent had this message, and what came of it is not known. ' +
  'Send it under another message id to have it done again.';
