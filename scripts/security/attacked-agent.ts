import { waitFor } from '../../packages/testkit/src/wait-for.ts';
import type { ManagementClient } from '../../packages/testkit/src/management-client.ts';
import { ask, posting, type Door, type Question } from './send-question.ts';
import { startHostileAgent, type HostileAgent } from './hostile-agent.ts';

/** A registered agent that does what an attack wants, and keys of two user groups that may call it. */
export interface AttackedAgent {
  readonly id: number;
  readonly groupId: number;
  readonly agent: HostileAgent;
  readonly ours: Door;
  readonly theirs: Door;
  /** Of no group that may call it. */
  readonly stranger: Door;
}

interface Making {
  readonly url: string;
  readonly admin: ManagementClient;
  readonly mark: string;
  /** Takes what has to be undone. */
  readonly made: AsyncDisposableStack;
}

export async function openAttackedAgent({ url, admin, mark, made }: Making): Promise<AttackedAgent> {
  const agent = made.use(await startHostileAgent());
  const port = Number(new URL(url).port);
  const remove = (path: string): void => made.defer(async () => void (await admin.call('DELETE', path)));
  await waitFor(async () => (await admin.call('GET', '/agents')).status === 200, { what: 'the hub to be found' });
  const { id } = await admin.expect<{ id: number }>('POST', '/agents', { name: `${mark} desk`, url: agent.url });
  remove(`/agents/${id}`);
  const open = async (who: string, mayCall: boolean): Promise<Door & { readonly groupId: number }> => {
    const name = `${mark} ${who}`;
    const group = await admin.expect<{ id: number }>('POST', '/user-groups', { name });
    remove(`/user-groups/${group.id}`);
    const issued = await admin.expect<{ api_key: { id: number }; key: string }>('POST', '/api-keys', {
      name,
      user_group_id: group.id,
    });
    remove(`/api-keys/${issued.api_key.id}`);
    if (mayCall) await admin.expect('POST', `/agents/${id}/access`, { user_group_id: group.id });
    return { port, key: issued.key, groupId: group.id };
  };
  const [ours, theirs, stranger] = [await open('ours', true), await open('theirs', true), await open('other', false)];
  for (const door of [ours, theirs]) {
    const isReached = async () => (await ask(door, { path: `/api/v1/agents/${id}/tasks` })).status === 200;
    await waitFor(isReached, { what: 'the access to the agent' });
  }
  return { id, groupId: ours.groupId, agent, ours, theirs, stranger };
}

/** A call of the agent at its endpoint of JSON-RPC. */
export const calling = (id: number, method: string, params: object): Question =>
  posting(`/a2a/v1/agents/${id}/`, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));

let messages = 0;
/** A message that no other attack has sent. */
export const saidTo = (parts: readonly object[] = [{ text: 'hello' }], more: object = {}) => {
  messages += 1;
  return { messageId: `attack-${process.pid}-${messages}`, role: 'ROLE_USER', parts, ...more };
};

/** The same through the REST API. */
export const invoking = (id: number, message: object, more: object = {}): Question =>
  posting(`/api/v1/agents/${id}/invoke`, JSON.stringify({ message, ...more }));

/** Begins a task that stays open, and answers what the gateway calls it. */
export async function beginTask(door: Door, id: number): Promise<{ readonly id: string; readonly contextId: string }> {
  const got = await ask(door, invoking(id, saidTo(), { configuration: { blocking: false } }));
  const { data } = JSON.parse(got.body) as { data?: { task: { id: string; context_id: string } } };
  if (data === undefined) throw new Error(`No task was begun: ${got.status} ${got.body.slice(0, 200)}`);
  return { id: data.task.id, contextId: data.task.context_id };
}

/** Whether an answer of any surface tells an error and nothing else. Over HTTP of 0.3 it stands at the top. */
export function isFailure(body: string): boolean {
  const { success, error, code } = JSON.parse(body) as { success?: boolean; error?: unknown; code?: number };
  return success !== true && (error !== undefined || Number(code) < 0);
}
