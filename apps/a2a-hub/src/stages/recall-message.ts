import type { SendCall } from '@portcullis/core/a2a/call';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Invocation } from '../invoke/invocation.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { refuseWhileAway } from './find-task.ts';

/** How long the repeat of a message waits for what comes of the first. */
const patienceMs = 25_000;
const lookEveryMs = 250;

/**
 * A message comes to its agent once: one with the same name from the same owner gets what came of the first. The names
 * that the gateway makes itself are new by themselves.
 */
export const createRecallMessage = (store: TaskStore): RequestStage<Invocation> => ({
  name: 'recall-message',
  run(invocation) {
    const { call, asked } = invocation;
    if ((call.operation !== 'send' && call.operation !== 'stream') || asked?.isNamed !== true) return next;
    return recall(invocation, call, store).catch(refuseWhileAway);
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
  for (let waited = 0; waited <= patienceMs; waited += lookEveryMs) {
    const known = await store.findMessage(key);
    // Nothing came of the first: this one takes its place.
    if (known === undefined) return recall(invocation, { operation: 'send', message }, store);
    if (known.fingerprint !== fingerprint) return deny('message_reused');
    if (known.taskId !== undefined) {
      invocation.recalled = await store.find(proxy.id, owner, known.taskId);
      return next;
    }
    await wait(lookEveryMs, undefined, { signal: invocation.caller.signal }).catch(() => undefined);
    if (invocation.caller.signal.aborted) return deny('client_closed');
  }
  return deny('message_under_way', { headers: { 'retry-after': '5' } });
}
