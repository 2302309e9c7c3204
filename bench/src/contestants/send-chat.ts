import { waitFor } from '@portcullis/testkit/wait-for';
import type { Child } from '../child.ts';
import type { Target } from '../load-order.ts';
import type { Rig } from './contestant.ts';

const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'How is the weather?' }] });

/** Sends one chat as the first caller; answers the status and the text. */
export async function sendChat(target: Target, content = body): Promise<{ status: number; text: string }> {
  const scheme = target.ca === undefined ? 'http' : 'https';
  const response = await fetch(`${scheme}://127.0.0.1:${target.port}${target.path}`, {
    method: 'POST',
    headers: { ...target.callers[0], 'Content-Type': 'application/json' },
    body: content,
    signal: AbortSignal.timeout(5_000),
  });
  return { status: response.status, text: await response.text() };
}

/** Waits until the chat comes back from the upstream through the child. */
export async function waitUntilAnswering({ signal }: Rig, child: Child, target: Target): Promise<void> {
  const answers = async () => {
    if (signal.aborted || child.hasEnded()) return 'ended';
    const { status, text } = await sendChat(target);
    if (status !== 200 || !text.includes('chatcmpl-bench')) throw new Error(`${status} ${text.slice(0, 300)}`);
    return 'answered';
  };
  const outcome = await waitFor(answers, { what: 'an answer of the upstream', timeoutMs: 20_000, intervalMs: 50 });
  signal.throwIfAborted();
  if (outcome === 'ended') throw new Error(`it ended at once: ${child.tail()}`);
}
