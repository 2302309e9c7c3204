import { expect, test } from '@jest/globals';
import type { Agent } from '@portcullis/contracts/routes/agents';
import { startA2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { collect } from '@portcullis/testkit/a2a-peer/collect-stream';
import { waitFor } from '@portcullis/testkit/wait-for';
import { addTeam, type Team } from './agent-caller.ts';
import { startAgentGateway, streamEvents } from './start-agent-gateway.ts';
import { startOnRelays } from './start-on-relays.ts';

interface Sent {
  readonly task: { readonly id: string; readonly status: { readonly state: string } };
}
const say = (text: string) => ({ message: { role: 'user', parts: [{ kind: 'text', text }] } });

/** Calls from many clients at once until they are told to stop; the ids of all that were answered. */
function load({ call }: Team, agentId: number) {
  const answered: string[] = [];
  const stopping = new AbortController();
  const client = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const { status, data } = await call<Sent>('POST', `/agents/${agentId}/invoke`, say('hello'));
        if (status === 200) answered.push(data.task.id);
      } catch {
        // The gateway is gone: there was no answer.
        return;
      }
    }
  };
  const done = Promise.all(Array.from({ length: 8 }, client));
  return {
    answered,
    async finish() {
      stopping.abort();
      await done;
    },
  };
}

test('a hub that is killed under load keeps each task that it answered with, and the log of it', async () => {
  await using world = await startAgentGateway('one process');
  const { id, peer } = world.agents['1.0'];
  peer.behave({ conduct: 'message' });
  const { answered, finish } = load(world.ours, id);
  await waitFor(() => answered.length >= 40, { what: 'some answers' });
  await world.gateway.runtime.stop('SIGKILL');
  await finish();
  await world.gateway.startRuntime();
  const { admin } = world.gateway;
  interface Log {
    readonly task_id: string;
  }
  for (const task of answered) {
    const { status, data } = await world.ours.call<Sent['task']>('GET', `/agents/${id}/tasks/${task}`);
    expect([status, data.status.state]).toEqual([200, 'TASK_STATE_COMPLETED']);
  }
  const logged = async (): Promise<boolean> => {
    const found = new Set<string>();
    for (let offset = 0; ; offset += 100) {
      const { data } = await admin.call<Log[]>('GET', `/agents/${id}/logs?limit=100&offset=${offset}`);
      for (const log of data) found.add(log.task_id);
      if (data.length < 100) return answered.every((task) => found.has(task));
    }
  };
  await waitFor(logged, { what: 'the logs of all answers' });
});

test('a message whose hub was killed is not sent again: it comes to a failed task that says so', async () => {
  await using world = await startAgentGateway('one process');
  const { id, peer } = world.agents['1.0'];
  peer.behave({ conduct: 'slow' });
  const named = { message: { ...say('work').message, messageId: 'named' } };
  const invoke = () => world.ours.call<Sent>('POST', `/agents/${id}/invoke`, named);
  const heard = () => peer.requests.filter(({ body }) => JSON.stringify(body ?? '').includes('"named"')).length;
  const lost = invoke().catch(() => undefined);
  await waitFor(() => heard() === 1, { what: 'the message' });
  await world.gateway.runtime.stop('SIGKILL');
  await lost;
  await world.gateway.startRuntime();
  // It waits until the hub that had it counts as ended.
  const { status, data } = await invoke();
  expect([status, data.task.status.state, heard()]).toEqual([200, 'TASK_STATE_FAILED', 1]);
  expect(JSON.stringify(data.task.status)).toContain('Send it under another message id');
  expect((await invoke()).data.task.id).toBe(data.task.id);
});

test('while the database is away agents are called, and what came of it is there when it is back', async () => {
  await using world = await startOnRelays({}, ['a2a-hub']);
  await using peer = await startA2aPeer({ generation: '1.0', conduct: 'message' });
  const { gateway, relays } = world;
  const { admin } = gateway;
  await waitFor(async () => (await admin.call('GET', '/agents')).status === 200, { what: 'the hub to be found' });
  const team = await addTeam(gateway, 'ours');
  const { id } = await admin.expect<Agent>('POST', '/agents', { name: 'agent', url: peer.url });
  await admin.expect('POST', `/agents/${id}/access`, { user_group_id: team.id });
  const invoke = () => team.call<Sent>('POST', `/agents/${id}/invoke`, say('hello'));
  await waitFor(async () => (await invoke()).status === 200, { what: 'the policies for agents' });

  await relays.database.cut();
  const { status, data } = await waitFor(
    async () => {
      const answer = await invoke();
      return answer.status === 200 ? answer : undefined;
    },
    { what: 'an answer without the database' },
  );
  expect([status, data.task.status.state]).toEqual([200, 'TASK_STATE_COMPLETED']);
  expect((await team.call('GET', `/agents/${id}/tasks/${data.task.id}`)).status).toBe(200);
  await relays.database.restore();
  const isThere = async () => {
    const { status: found } = await admin.call('GET', `/agents/${id}/tasks/${data.task.id}`);
    const logs = await admin.call<{ task_id: string }[]>('GET', `/agents/${id}/logs?limit=100`);
    return found === 200 && logs.status === 200 && logs.data.some((log) => log.task_id === data.task.id);
  };
  await waitFor(isThere, { what: 'the task and its log' });
});

test('an agent that is away, or floods, is cut off with an answer that says so, and tasks are told from the store', async () => {
  await using world = await startAgentGateway('one process');
  const { id, peer } = world.agents['1.0'];
  peer.behave({ conduct: 'slow' });
  const begun = await world.ours.call<Sent>('POST', `/agents/${id}/invoke`, {
    ...say('work'),
    configuration: { blocking: false },
  });
  peer.behave({ conduct: 'flood' });
  const url = `${world.gateway.url}/api/v1/agents/${id}/invoke`;
  const headers = { 'x-api-key': world.ours.key };
  await expect(collect(streamEvents(url, headers, { ...say('x'), streaming: true }))).rejects.toThrow(
    /502.*invalid answer/,
  );
  await peer[Symbol.asyncDispose]();
  expect(await world.ours.call('POST', `/agents/${id}/invoke`, say('x'))).toMatchObject({
    status: 502,
    error: 'The agent could not be reached',
    error_code: 'API_ERROR',
  });
  expect(await world.ours.call('GET', `/agents/${id}/tasks/${begun.data.task.id}`)).toMatchObject({
    status: 200,
    data: { id: begun.data.task.id },
  });
});

test('a task about which nothing is heard fails for good, and its agent is told to stop', async () => {
  await using world = await startAgentGateway('one process', { AGENT_TASK_TIMEOUT: '4s', AGENT_CALL_TIMEOUT: '4s' });
  const { id, peer } = world.agents['1.0'];
  peer.behave({ conduct: 'slow' });
  const begun = await world.ours.call<Sent>('POST', `/agents/${id}/invoke`, {
    ...say('work'),
    configuration: { blocking: false },
  });
  expect(begun.status).toBe(200);
  // A list is told from the store: to ask for the task itself would keep it open.
  const hasFailed = async () => {
    const { data } = await world.ours.call<{ tasks: { id: string }[] }>('GET', `/agents/${id}/tasks?status=failed`);
    return data.tasks.some((task) => task.id === begun.data.task.id);
  };
  await waitFor(hasFailed, { what: 'the task to fail' });
  const isTold = () => peer.requests.some(({ body }) => JSON.stringify(body ?? '').includes('CancelTask'));
  await waitFor(isTold, { what: 'the agent to be told' });
  expect(await world.ours.call('GET', `/agents/${id}/tasks/${begun.data.task.id}`)).toMatchObject({
    status: 200,
    data: { status: { state: 'TASK_STATE_FAILED' } },
  });
});

test('a stop waits for calls, and then ends them with a word to their callers', async () => {
  await using world = await startAgentGateway('one process', { SHUTDOWN_TIMEOUT: '1s' });
  const { id, peer } = world.agents['1.0'];
  peer.behave({ conduct: 'slow' });
  const url = `${world.gateway.url}/api/v1/agents/${id}/invoke`;
  const stream = streamEvents(url, { 'x-api-key': world.ours.key }, { ...say('work'), streaming: true });
  await stream.next();
  const rest = collect(stream);
  expect(await world.gateway.stop('SIGTERM')).toEqual([0]);
  expect((await rest).at(-1)).toMatchObject({ error: { code: -32_000 } });
});
