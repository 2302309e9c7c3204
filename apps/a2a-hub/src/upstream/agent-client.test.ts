import { describe, expect, test } from '@jest/globals';
import type { SendCall } from '@portcullis/core/a2a/call';
import { rankInterfaces, type Route } from '@portcullis/core/a2a/protocol-version';
import type { StreamEvent } from '@portcullis/core/a2a/task';
import { a2aGenerations, startA2aPeer, type A2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { collect } from '@portcullis/testkit/a2a-peer/collect-stream';
import { answer, startLoopbackPeer, type PeerHandler } from '@portcullis/testkit/loopback-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createCardDiscovery } from '../cards/discover-card.ts';
import { createAgentClient, type AgentClient } from './agent-client.ts';
import { AgentFailure } from './agent-failure.ts';
import { defaultCallLimits, type CallLimits } from './call-limits.ts';
import type { UpstreamAgent } from './upstream-agent.ts';

const connections = { connections: 8, connectTimeoutMs: 2_000, allowPrivate: true };
const openClient = (limits: Partial<CallLimits> = {}): AgentClient =>
  createAgentClient(connections, { ...defaultCallLimits, ...limits });

const here = () => ({ signal: new AbortController().signal });

const say = (text: string, changes: Partial<SendCall['message']> = {}): SendCall => ({
  operation: 'send',
  message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }], ...changes },
});
const stream = (text: string): SendCall => ({ ...say(text), operation: 'stream' });

const agentOf = (routes: readonly Route[], changes: Partial<UpstreamAgent> = {}): UpstreamAgent => ({
  id: 1,
  routes,
  streams: true,
  credentialsFor: () => ({}),
  ...changes,
});

async function routesOf(peer: A2aPeer): Promise<readonly Route[]> {
  await using discovery = createCardDiscovery({ allowPrivate: true });
  const { found } = await discovery.discover(peer.url);
  return found === undefined ? [] : rankInterfaces(found.card);
}

const describeFailure = async (call: Promise<unknown>): Promise<AgentFailure> => {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof AgentFailure) return thrown;
  throw new Error('It did not fail', { cause: thrown });
};

const kindOf = (event: StreamEvent): string => Object.keys(event)[0] ?? '';

describe.each(a2aGenerations)('agents of %s', (generation) => {
  test('are asked, and answer, over every interface that they have', async () => {
    await using peer = await startA2aPeer({ generation });
    await using client = openClient();
    const routes = await routesOf(peer);
    expect(routes).toHaveLength(generation === '0.2' ? 1 : 2);
    for (const route of routes) {
      peer.behave({ conduct: 'message' });
      const { value, route: used } = await client.send(agentOf([route]), say('hello'), here());
      expect(used).toBe(route);
      expect(value).toMatchObject({ message: { role: 'ROLE_AGENT', parts: [{ text: 'You said: hello' }] } });

      peer.behave({ conduct: 'stream' });
      const made = await client.send(agentOf([route]), say('hello'), here());
      const task = 'task' in made.value ? made.value.task : undefined;
      expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
      const got = await client.getTask(agentOf([route]), { operation: 'get', id: task?.id ?? '' }, here());
      expect(got.value.id).toBe(task?.id);

      const events = await collect((await client.stream(agentOf([route]), stream('hello'), here())).value);
      const kinds = events.map(kindOf);
      expect(kinds.at(0)).toBe('task');
      expect(kinds.filter((kind) => kind === 'artifactUpdate')).toHaveLength(3);
      expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });

      const unknown = await describeFailure(
        client.getTask(agentOf([route]), { operation: 'get', id: 'unknown' }, here()),
      );
      expect(unknown).toMatchObject({ kind: 'error', error: { reason: 'TASK_NOT_FOUND' } });
    }
  });

  test('a task is cancelled, and a stream of it taken up again', async () => {
    await using peer = await startA2aPeer({ generation, conduct: 'slow' });
    await using client = openClient();
    for (const route of await routesOf(peer)) {
      const agent = agentOf([route]);
      const { value: first } = await client.stream(agent, stream('hello'), here());
      const { value: begun } = await first.next();
      const id = begun !== undefined && 'task' in begun ? begun.task.id : '';
      expect(id).not.toBe('');
      const { value: again } = await client.stream(agent, { operation: 'subscribe', id }, here());
      await client.cancelTask(agent, { operation: 'cancel', id }, here());
      const rest = await collect(again);
      expect(rest.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } });
      await first.return();
    }
  });
});

test.each(['?api-version=v1', '/?api-version=v1#card'])(
  'paths go in front of the query of an interface: %s',
  async (end) => {
    await using peer = await startLoopbackPeer((_request, response) => answer(response, 200, {}));
    await using client = openClient();
    const agent = agentOf([{ url: `${peer.url}/a2a${end}`, binding: 'HTTP+JSON', version: '1.0' }]);
    await describeFailure(client.send(agent, say('hello'), here()));
    await describeFailure(client.getTask(agent, { operation: 'get', id: 't', historyLength: 1 }, here()));
    expect(peer.requests.map(({ path }) => path)).toEqual([
      '/a2a/message:send?api-version=v1',
      '/a2a/tasks/t?historyLength=1&api-version=v1',
    ]);
  },
);

test('the version of 1.0 is told exactly, and nothing of the caller goes with it', async () => {
  await using peer = await startA2aPeer({ generation: '1.0' });
  await using client = openClient();
  const agent = agentOf(await routesOf(peer), { credentialsFor: () => ({ authorization: 'Bearer of-the-gateway' }) });
  await client.send(agent, say('hello'), { ...here(), headers: { traceparent: '00-1-2-01' } });
  expect(peer.requests.at(-1)?.headers).toMatchObject({
    'a2a-version': '1.0',
    authorization: 'Bearer of-the-gateway',
    traceparent: '00-1-2-01',
    'user-agent': 'portcullis',
  });
});

test('an agent that its card calls newer than it is gets the call once in its own words', async () => {
  await using peer = await startA2aPeer({ generation: '0.3' });
  await using client = openClient();
  const agent = agentOf([{ url: `${peer.url}/rpc`, binding: 'JSONRPC', version: '1.0' }]);
  for (const expected of [2, 1]) {
    const before = peer.requests.length;
    const { value, route } = await client.send(agent, say('hello'), here());
    expect(value).toMatchObject({ message: { parts: [{ text: 'You said: hello' }] } });
    expect(route.version).toBe('0.3');
    // It is remembered, so the second call goes there at once.
    expect(peer.requests.length - before).toBe(expected);
  }
});

test('an agent that does not stream answers a stream with one event', async () => {
  await using peer = await startA2aPeer({ generation: '1.0' });
  await using client = openClient();
  const agent = agentOf(await routesOf(peer), { streams: false });
  const events = await collect((await client.stream(agent, stream('hello'), here())).value);
  expect(events.map(kindOf)).toEqual(['message']);
  expect(peer.requests.at(-1)?.body).toMatchObject({ method: 'SendMessage' });
});

test.each([
  ['JSONRPC', '/rpc', 'nonsense', 'nonsense'],
  ['HTTP+JSON', '/http', 'nonsense', 'nonsense'],
  ['JSONRPC', '/rpc', 'flood', 'too_large'],
  ['HTTP+JSON', '/http', 'flood', 'too_large'],
  ['HTTP+JSON', '/http', 'endless', 'too_large'],
] as const)('over %s at %s: %s is %s', async (binding, path, conduct, kind) => {
  await using peer = await startA2aPeer({ generation: '1.0', conduct });
  await using client = openClient({ streamEvents: 1_000 });
  const agent = agentOf([{ url: peer.url + path, binding, version: '1.0' }]);
  const before = process.memoryUsage().rss;
  const streamed = client.stream(agent, stream('hello'), here()).then(({ value }) => collect(value));
  expect(await describeFailure(streamed)).toMatchObject({ kind });
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
});

const rpc: Route = { url: '', binding: 'JSONRPC', version: '1.0' };
const askOf = async (handle: PeerHandler, limits: Partial<CallLimits> = {}, call: 'send' | 'stream' = 'send') => {
  await using peer = await startLoopbackPeer(handle);
  await using client = openClient(limits);
  const agent = agentOf([{ ...rpc, url: peer.url }]);
  const failure = await describeFailure(
    call === 'send'
      ? client.send(agent, say('hello'), here())
      : client.stream(agent, stream('hello'), here()).then(({ value }) => collect(value)),
  );
  return { failure, requests: peer.requests.length };
};

const endlessly = (status: number, ...[, response]: Parameters<PeerHandler>): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20)));
  };
  response.on('drain', more);
  more();
};
const endless: PeerHandler = (...peer) => endlessly(200, ...peer);
const largeJson: PeerHandler = (_, response) => {
  const metadata = Array.from({ length: 300_000 }, () => []);
  const result = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }], metadata: { metadata } } };
  answer(response, 200, { jsonrpc: '2.0', id: 1, result });
};

test('an answer of more values than can be read beside others is too large', async () => {
  expect((await askOf(largeJson)).failure).toMatchObject({
    kind: 'too_large',
    message: expect.stringMatching(/^Too many values/),
  });
});

const event =
  (data: string): PeerHandler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${data}\n\n`);
  };

describe('what a hostile agent answers', () => {
  test.each<[string, PeerHandler, string]>([
    [
      'a redirect',
      (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'redirected',
    ],
    [
      'a redirect with bytes without end',
      (peer, response) => {
        response.setHeader('location', '//elsewhere.example/');
        endlessly(308, peer, response);
      },
      'redirected',
    ],
    ['a refusal without words', (_, response) => answer(response, 500, { success: false }), 'status'],
    ['what is not JSON', (_, response) => void response.writeHead(200).end('<html>'), 'nonsense'],
    [
      'an answer to another request',
      (_, response) => answer(response, 200, { jsonrpc: '2.0', id: 'x', result: {} }),
      'nonsense',
    ],
    [
      'an error that is none',
      (_, response) => answer(response, 200, { jsonrpc: '2.0', id: 'x', error: 'no' }),
      'nonsense',
    ],
    ['bytes without end', endless, 'too_large'],
    ['nothing, and hangs up', (_, response) => void response.destroy(), 'broken'],
  ])('%s', async (_, handle, kind) => {
    const { failure, requests } = await askOf(handle, { bodyBytes: 1_048_576 });
    expect(failure).toMatchObject({ kind });
    // It may have acted on it, so it is not asked again.
    expect(requests).toBe(1);
  });

  test('nothing at all', async () => {
    const { failure } = await askOf(() => undefined, { headersTimeoutMs: 200, totalTimeoutMs: 300 });
    expect(failure.kind).toBe('timeout');
  });

  test('a stream that pauses for ever after its first event', async () => {
    const working = { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    await using peer = await startLoopbackPeer((request, response) => {
      const { id } = JSON.parse(request.body) as { id: string };
      return event(JSON.stringify({ jsonrpc: '2.0', id, result: { statusUpdate: working } }))(request, response);
    });
    await using client = openClient({ totalTimeoutMs: 500 });
    const { value } = await client.stream(agentOf([{ ...rpc, url: peer.url }]), stream('hello'), here());
    expect((await value.next()).value).toMatchObject({ statusUpdate: working });
    expect(await describeFailure(value.next())).toMatchObject({ kind: 'timeout' });
    await waitFor(() => peer.requests[0]?.outcome === 'broken-off', { what: 'the call to end' });
  });

  test('an event that is no answer', async () => {
    expect((await askOf(event('{"jsonrpc":"2.0"'), {}, 'stream')).failure.kind).toBe('nonsense');
    expect((await askOf(event('{"result":{"task":{}}}'), {}, 'stream')).failure.kind).toBe('nonsense');
  });
});

test('no connection goes to an address that is refused', async () => {
  await using client = createAgentClient({ ...connections, allowPrivate: false });
  for (const url of ['http://127.0.0.1:9', 'http://169.254.169.254/latest', 'http://[::1]:9']) {
    expect(await describeFailure(client.send(agentOf([{ ...rpc, url }]), say('x'), here()))).toMatchObject({
      kind: 'refused',
    });
  }
});

test('what could not be sent is tried at another address of the agent, once', async () => {
  await using peer = await startA2aPeer({ generation: '1.0' });
  await using client = openClient();
  const dead: Route = { ...rpc, url: 'http://127.0.0.1:1' };
  const { value } = await client.send(agentOf([dead, ...(await routesOf(peer))]), say('hello'), here());
  expect(value).toMatchObject({ message: {} });
  expect(await describeFailure(client.send(agentOf([dead]), say('hello'), here()))).toMatchObject({
    kind: 'unreachable',
  });
});

test('a caller who leaves ends the call', async () => {
  await using peer = await startLoopbackPeer(() => undefined);
  await using client = openClient();
  const caller = new AbortController();
  const call = describeFailure(client.send(agentOf([{ ...rpc, url: peer.url }]), say('x'), { signal: caller.signal }));
  await waitFor(() => peer.requests.length === 1, { what: 'the call' });
  caller.abort();
  expect(await call).toMatchObject({ kind: 'left' });
  await waitFor(() => peer.requests[0]?.outcome === 'broken-off', { what: 'the call to end' });
});
