import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { a2aGenerations } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { collect } from '@portcullis/testkit/a2a-peer/collect-stream';
import { waitFor } from '@portcullis/testkit/wait-for';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { auditOf } from './agent-caller.ts';
import { startAgentGateway, streamEvents, type AgentGateway } from './start-agent-gateway.ts';
import { waysFor } from './start-gateway.ts';

interface Task {
  readonly id: string;
  readonly context_id: string;
  readonly status: { readonly state: string };
  readonly artifacts: readonly { readonly parts: readonly { readonly text: string }[] }[];
  readonly history: readonly { readonly messageId: string; readonly parts: readonly object[] }[];
}
interface Sent {
  readonly task: Task;
  readonly message?: object;
}

const say = (text: string, more: object = {}) => ({
  message: { role: 'user', parts: [{ kind: 'text', text }], ...more },
});
const id32 = /^[\da-f]{32}$/;

describe.each(waysFor('services'))('calls of agents (%s)', (way) => {
  let world: AgentGateway;
  beforeAll(async () => {
    world = await startAgentGateway(way);
  });
  afterAll(async () => world[Symbol.asyncDispose]());

  const invoke = (generation: (typeof a2aGenerations)[number], body: object, team = world.ours) =>
    team.call<Sent>('POST', `/agents/${world.agents[generation].id}/invoke`, body);

  describe.each(a2aGenerations)('of an agent of %s', (generation) => {
    test('answer with its task, which stays to be read', async () => {
      const { id, peer } = world.agents[generation];
      peer.behave({ conduct: 'stream' });
      const { status, data } = await invoke(generation, say('hello', { messageId: `m-${generation}` }));
      expect(status).toBe(200);
      expect(data.task).toMatchObject({
        id: expect.stringMatching(id32),
        context_id: expect.stringMatching(id32),
        status: { state: 'TASK_STATE_COMPLETED' },
      });
      expect(data.task.artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('')).toBe(
        'You said: hello',
      );
      expect(data.task.history.some(({ messageId }) => messageId === `m-${generation}`)).toBe(true);
      // No id of the agent is told.
      const sent = peer.requests.findLast(({ method }) => method === 'POST');
      expect(JSON.stringify(sent?.body)).not.toContain(data.task.id);
      expect(sent?.headers).not.toHaveProperty('x-api-key');
      expect(sent?.headers['traceparent']).toMatch(/^00-/);

      const { data: again } = await world.ours.call<Task>('GET', `/agents/${id}/tasks/${data.task.id}`);
      expect(again).toEqual(data.task);
      const short = await world.ours.call<Task>('GET', `/agents/${id}/tasks/${data.task.id}?history_length=1`);
      expect(short.data.history).toHaveLength(1);
      const listed = await world.ours.call<{ tasks: Task[]; total_size: number }>(
        'GET',
        `/agents/${id}/tasks?context_id=${data.task.context_id}&status=completed`,
      );
      expect(listed.data).toMatchObject({ total_size: 1, next_page_token: '', page_size: 50 });
      expect(listed.data.tasks.map((task) => task.id)).toEqual([data.task.id]);
      // What belongs to others is not found, like what does not exist.
      expect(await world.theirs.call('GET', `/agents/${id}/tasks/${data.task.id}`)).toMatchObject({ status: 403 });
      expect(await world.ours.call('GET', `/agents/${id}/tasks/unknown`)).toMatchObject({
        status: 404,
        error: 'Task not found',
        error_code: 'NOT_FOUND',
      });
    });

    test('make a completed task of a message alone', async () => {
      world.agents[generation].peer.behave({ conduct: 'message' });
      const { data } = await invoke(generation, say('hello'));
      expect(data).toMatchObject({
        task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'You said: hello' }] }] },
        message: { role: 'agent', parts: [{ kind: 'text', text: 'You said: hello' }], messageId: expect.any(String) },
      });
      const { id } = world.agents[generation];
      expect((await world.ours.call('GET', `/agents/${id}/tasks/${data.task.id}`)).data).toEqual(data.task);
    });

    test('stream its events as they come', async () => {
      const { id, peer } = world.agents[generation];
      peer.behave({ conduct: 'stream' });
      const url = `${world.gateway.url}/api/v1/agents/${id}/invoke`;
      const events = await collect(
        streamEvents(url, { 'x-api-key': world.ours.key }, { ...say('hello'), streaming: true }),
      );
      expect(events.map((event) => Object.keys(event)[0])).toEqual([
        'task',
        'status_update',
        'artifact_update',
        'artifact_update',
        'artifact_update',
        'status_update',
      ]);
      expect(events.at(-1)).toMatchObject({
        status_update: { final: true, status: { state: 'TASK_STATE_COMPLETED' } },
      });
    });

    test('go on with a task that asks for more', async () => {
      const { peer, id } = world.agents[generation];
      peer.behave({ conduct: 'ask' });
      const { data: first } = await invoke(generation, say('plan'));
      expect(first.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      const foreign = await world.gateway.admin.call(
        'POST',
        `/agents/${id}/invoke`,
        say('x', { taskId: first.task.id, contextId: 'other' }),
      );
      expect(foreign.status).toBe(400);
      const { data } = await invoke(generation, say('Bern', { taskId: first.task.id }));
      expect(data.task).toMatchObject({
        id: first.task.id,
        context_id: first.task.context_id,
        status: { state: 'TASK_STATE_COMPLETED' },
      });
      // A task that has ended takes nothing more.
      expect(await invoke(generation, say('again', { taskId: first.task.id }))).toMatchObject({
        status: 400,
        error_code: 'BAD_REQUEST',
      });
    });

    test('cancel a task', async () => {
      const { peer, id } = world.agents[generation];
      peer.behave({ conduct: 'slow' });
      const { data } = await invoke(generation, { ...say('work'), configuration: { blocking: false } });
      expect(data.task.status.state).not.toBe('TASK_STATE_COMPLETED');
      const cancelled = await world.ours.call('POST', `/agents/${id}/tasks/${data.task.id}/cancel`);
      expect(cancelled).toMatchObject({
        status: 200,
        data: { id: data.task.id, status: { state: 'TASK_STATE_CANCELLED' } },
      });
      expect(await world.ours.call('POST', `/agents/${id}/tasks/${data.task.id}/cancel`)).toMatchObject({
        status: 400,
        error: 'Task cannot be canceled',
      });
    });

    test('of a caller who leaves end at the agent too', async () => {
      const { peer, id } = world.agents[generation];
      peer.behave({ conduct: 'slow' });
      const caller = new AbortController();
      const url = `${world.gateway.url}/api/v1/agents/${id}/invoke`;
      const events = streamEvents(
        url,
        { 'x-api-key': world.ours.key },
        { ...say('x'), streaming: true },
        caller.signal,
      );
      const { value } = await events.next();
      const task = (value as unknown as Sent).task;
      expect(task.id).toMatch(id32);
      caller.abort();
      await waitFor(
        async () => {
          const { data } = await world.gateway.admin.call<{ task_id: string; error: string }[]>(
            'GET',
            `/agents/${id}/logs?limit=5`,
          );
          return data.some(({ task_id, error }) => task_id === task.id && error === 'client_closed');
        },
        { what: 'the log of the call' },
      );
    });

    test('fail with the task of an agent that fails', async () => {
      world.agents[generation].peer.behave({ conduct: 'fail' });
      expect((await invoke(generation, say('x'))).data.task.status.state).toBe('TASK_STATE_FAILED');
    });

    test('tell that the agent answers nonsense', async () => {
      world.agents[generation].peer.behave({ conduct: 'nonsense' });
      expect(await invoke(generation, say('x'))).toMatchObject({
        status: 502,
        error: 'The agent sent an invalid answer',
        error_code: 'API_ERROR',
      });
    });
  });

  test('the same message of a caller comes to its agent once', async () => {
    const { peer } = world.agents['1.0'];
    peer.behave({ conduct: 'stream' });
    const before = peer.requests.length;
    const message = say('once', { messageId: 'the-same' });
    const answers = await Promise.all([1, 2, 3].map(() => invoke('1.0', message)));
    expect(new Set(answers.map(({ data }) => data.task.id)).size).toBe(1);
    expect(peer.requests.length - before).toBe(1);
    expect(await invoke('1.0', say('another', { messageId: 'the-same' }))).toMatchObject({
      status: 400,
      error: 'Another message had this messageId',
    });
  });

  test('callers without access, and agents that are not active, are told so', async () => {
    const { id } = world.agents['1.0'];
    expect(await invoke('1.0', say('x'), world.theirs)).toMatchObject({ status: 403, error_code: 'FORBIDDEN' });
    const { call } = world.ours;
    expect(await call('POST', '/agents/999999/invoke', say('x'))).toMatchObject({
      status: 403,
      error_code: 'FORBIDDEN',
    });
    expect(await world.gateway.admin.call('POST', '/agents/999999/invoke', say('x'))).toMatchObject({ status: 404 });
    await world.gateway.admin.expect('PUT', `/agents/${id}`, { status: 'maintenance' });
    expect(await invoke('1.0', say('x'))).toMatchObject({ error: 'The agent is not active' });
    await world.gateway.admin.expect('PUT', `/agents/${id}`, { status: 'active' });
    expect((await invoke('1.0', say('x'))).status).toBe(200);
  });

  test.each([
    ['no key', {}, 401, 'Missing API key', 'UNAUTHORIZED'],
    ['an unknown key', { 'x-api-key': 'gw_unknown' }, 401, 'Invalid API key: key not found', 'UNAUTHORIZED'],
    ['a bad token', { authorization: 'Bearer a.b.c' }, 401, 'Invalid or expired token', 'UNAUTHORIZED'],
  ])('with %s are refused', async (_, headers, status, error, code) => {
    const url = `${world.gateway.url}/api/v1/agents/${world.agents['1.0'].id}/invoke`;
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ success: false, error, error_code: code }),
    ]);
  });

  test.each([
    ['no message', {}, '/message'],
    ['a message without parts', { message: { role: 'user' } }, '/message/parts'],
    [
      'two contents in a part',
      { message: { role: 'user', parts: [{ text: 'x', url: 'http://x' }] } },
      '/message/parts/0/url',
    ],
  ])('with %s are refused by their place', async (_, body, path) => {
    const answer = (await invoke('1.0', body)) as unknown as { status: number; problems?: { path: string }[] };
    expect(answer.status).toBe(400);
    expect(answer.problems?.map((problem) => problem.path)).toContain(path);
  });

  test('go on in a context that their caller names, which the agent knows by a name of its own', async () => {
    const { peer } = world.agents['1.0'];
    peer.behave({ conduct: 'stream' });
    for (const text of ['a', 'b']) {
      const { data } = await invoke('1.0', say(text, { contextId: 'chat-1' }));
      expect(data.task.context_id).toBe('chat-1');
    }
    const sent = peer.requests.filter(({ method }) => method === 'POST').slice(-2);
    const [first, second] = sent.map(
      ({ body }) => (body as { params: { message: { contextId?: string } } }).params.message.contextId,
    );
    expect(first).toBeUndefined();
    expect(second).toMatch(/./);
    expect(second).not.toBe('chat-1');
  });

  test('a page of tasks goes on where the last ended, for its caller alone', async () => {
    const { id } = world.agents['0.3'];
    world.agents['0.3'].peer.behave({ conduct: 'message' });
    for (const text of ['a', 'b', 'c']) await invoke('0.3', say(text));
    interface Page {
      readonly tasks: readonly Task[];
      readonly next_page_token: string;
    }
    const first = await world.ours.call<Page>('GET', `/agents/${id}/tasks?page_size=2`);
    expect(first.data.tasks).toHaveLength(2);
    const token = encodeURIComponent(first.data.next_page_token);
    const second = await world.ours.call<Page>('GET', `/agents/${id}/tasks?page_size=2&page_token=${token}`);
    const ids = [...first.data.tasks, ...second.data.tasks].map((task) => task.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const bad of [
      `page_size=2&page_token=${token}x`,
      `page_token=${token}&status=failed`,
      'page_size=101',
      'status=odd',
    ]) {
      expect((await world.ours.call('GET', `/agents/${id}/tasks?${bad}`)).status).toBe(400);
    }
  });

  test('are limited in a rolling minute of the whole team, before anything is sent, and admins too', async () => {
    const { id, peer } = world.agents['0.2'];
    peer.behave({ conduct: 'message' });
    const { admin } = world.gateway;
    await admin.expect('POST', `/agents/${id}/access`, { user_group_id: world.ours.id, rate_limit: 2 });
    const limited = async () => {
      const response = await fetch(`${world.gateway.url}/api/v1/agents/${id}/invoke`, {
        method: 'POST',
        headers: { 'x-api-key': world.ours.key, 'content-type': 'application/json' },
        body: JSON.stringify(say('x')),
      });
      return response.status === 429 ? response : undefined;
    };
    const response = await waitFor(limited, { what: 'the limit' });
    const retryAfter = Number(response.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(30);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(await response.json()).toMatchObject({
      success: false,
      error: 'rate limit exceeded: 2 requests per minute',
      error_code: 'RATE_LIMIT_EXCEEDED',
    });
    const before = peer.requests.length;
    await limited();
    expect(peer.requests).toHaveLength(before);
    await admin.expect('POST', `/agents/${id}/access`, { user_group_id: world.ours.id, rate_limit: 0 });
  });

  test('come by one path, which the edge and the hub read alike', async () => {
    const { id } = world.agents['1.0'];
    const { port } = new URL(world.gateway.url);
    const host = `127.0.0.1:${port}`;
    const tasks = `/api/v1/agents/${id}/tasks`;
    // As it stands, which `fetch` would resolve.
    const statusOf = async (path: string, headers = {}): Promise<number | undefined> => {
      const key = { 'x-api-key': world.ours.key };
      const sent = request({ host: '127.0.0.1', port, path, headers: { host, ...key, ...headers } }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      await answer.toArray();
      return answer.statusCode;
    };
    const statuses = async (...paths: string[]) => [...new Set(await Promise.all(paths.map((path) => statusOf(path))))];
    expect(await statuses(tasks, tasks.toUpperCase(), `${tasks}/?page_size=1`, `http://${host}${tasks}`)).toEqual([
      200,
    ]);
    expect(
      await statuses(
        `/api/v1/agents/x/../${id}/tasks`,
        `/api/v1/proxies/%2e%2e/agents/${id}/tasks`,
        `/api/v1/agents/x\\..\\${id}/tasks`,
        `${tasks}#`,
        `/${tasks}`,
        `http://${host}/api/v1/proxies/../agents/${id}/tasks`,
      ),
    ).toEqual([400]);
    expect(await statuses(`/api/v1/agents;x/${id}/tasks`, `/api/v1/agents%2f${id}/tasks`)).toEqual([404]);
    expect(await statusOf(tasks, { host: String.raw`/#@?\%00` })).toBe(400);
  });

  test('are recorded and audited, however they ended', async () => {
    const { id } = world.agents['1.0'];
    world.agents['1.0'].peer.behave({ conduct: 'message' });
    const { data } = await invoke('1.0', say('hello Bearer abcdefghijkl'));
    await invoke('1.0', {});
    const { admin } = world.gateway;
    interface Log {
      readonly id: number;
      readonly task_id: string;
    }
    const log = await waitFor(
      async () =>
        (await admin.call<Log[]>('GET', `/agents/${id}/logs`)).data.find((one) => one.task_id === data.task.id),
      { what: 'the log' },
    );
    expect(log).toMatchObject({
      agent_id: id,
      user_type: 'apikey',
      invocation_type: 'send_message',
      response_status: 200,
      blocked: false,
      risk_score: 0,
      rate_limit_exceeded: false,
    });
    expect(await admin.expect('GET', `/agents/${id}/logs/${log.id}`)).toMatchObject({
      agent_version: '1.0',
      agent_binding: 'JSONRPC',
      request_payload: { parts: [{ text: 'hello [secret]' }] },
      response_payload: { id: data.task.id },
    });
    await waitFor(async () => (await auditOf(admin, 'agent.invoked')).length > 0, { what: 'the audit' });
  });
});
