import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { a2aGenerations, type A2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { addTeam, type Team } from './agent-caller.ts';
import { clientNames, openClient } from './agent-clients.ts';
import { startAgentGateway, type AgentGateway } from './start-agent-gateway.ts';
import { waysFor } from './start-gateway.ts';

// Official clients of every generation and binding, as they are, through the gateway to agents of every generation.

const policy = {
  name: 'doors',
  policy_type: 'a2a',
  rules: [{ id: 'DOOR', name: 'Open sesame', severity: 'High', patterns: ['open sesame'], action: 'block' }],
};

const sesame = { message: { role: 'user', parts: [{ kind: 'text', text: 'open sesame' }] } };

/**
 * Why a call was refused, in the words in which the client tells it. The official client of 0.2 reads the body of a
 * refusal twice and tells only that.
 */
const told = (words: string): RegExp => new RegExp(`${words}|already been read`, 'i');

const callsOf = ({ requests }: A2aPeer): number => requests.filter(({ method }) => method === 'POST').length;

const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: Error) => `${error.message} ${JSON.stringify(error)}`,
  );

describe.each(waysFor('services'))('official clients (%s)', (way) => {
  const globalFetch = globalThis.fetch;
  let world: AgentGateway;
  let few: Team;
  /** What all cases share is in force before the first of them. */
  beforeAll(async () => {
    world = await startAgentGateway(way);
    const { gateway, agents, ours } = world;
    const { admin } = gateway;
    await admin.expect('POST', '/policies', { document: policy });
    few = await addTeam(gateway, 'few');
    for (const { id } of Object.values(agents)) {
      await admin.expect('POST', `/agents/${id}/access`, { user_group_id: few.id, rate_limit: 1 });
    }
    const { id } = agents['0.2'];
    const isBlocked = async () => (await ours.call('POST', `/agents/${id}/invoke`, sesame)).status === 403;
    await waitFor(isBlocked, { what: 'the policy to be in force' });
    const isReached = async () => (await few.call('GET', `/agents/${id}/tasks`)).status === 200;
    await waitFor(isReached, { what: 'the access to be in force' });
  });
  afterAll(async () => world[Symbol.asyncDispose]());
  afterEach(() => {
    globalThis.fetch = globalFetch;
  });

  /** Clients take no headers in every generation: their transport adds the key. */
  const useKey = ({ key }: Team): void => {
    globalThis.fetch = (input, init = {}) => {
      const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : {}));
      headers.set('x-api-key', key);
      return globalFetch(input, { ...init, headers });
    };
  };
  const baseOf = (id: number): string => `${world.gateway.url}/a2a/v1/agents/${id}/`;

  test('read the extended card of the gateway, each in the words of its generation', async () => {
    const { id, peer } = world.agents['1.0'];
    const { key } = world.ours;
    const before = peer.requests.length;
    const ask = async (path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${baseOf(id)}${path}`, {
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      const told = (await response.json()) as Record<string, unknown>;
      return { status: response.status, type: response.headers.get('content-type'), told };
    };
    const rpc = (method: string) => ask('', { jsonrpc: '2.0', id: 1, method });
    const endpoint = expect.stringContaining(`/a2a/v1/agents/${id}`);
    const current = { name: 'Echo', supportedInterfaces: [{ url: endpoint }, {}, {}, {}] };
    const legacy = { name: 'Echo', url: endpoint, supportsAuthenticatedExtendedCard: true };
    expect((await rpc('GetExtendedAgentCard')).told).toMatchObject({ result: current });
    expect((await rpc('agent/getAuthenticatedExtendedCard')).told).toMatchObject({ result: legacy });
    expect((await ask('v1/card')).told).toMatchObject(legacy);
    expect(await ask('extendedAgentCard')).toMatchObject({ status: 200, told: current });
    const asked = await ask('extendedAgentCard', undefined, { accept: 'application/a2a+json' });
    expect(asked).toMatchObject({ status: 200, type: 'application/a2a+json', told: current });
    expect(JSON.stringify(asked)).not.toContain(peer.url);
    expect(peer.requests.length).toBe(before);
    const stranger = { 'x-api-key': world.theirs.key, accept: 'application/a2a+json' };
    expect(await ask('extendedAgentCard', undefined, stranger)).toMatchObject({
      status: 403,
      type: 'application/a2a+json',
    });
  });

  describe.each(clientNames)('of %s', (name) => {
    test.each(a2aGenerations)('ask, stream and cancel at an agent of %s', async (generation) => {
      const { id, peer } = world.agents[generation];
      useKey(world.ours);
      const client = await openClient(name, baseOf(id));
      peer.behave({ conduct: 'message' });
      expect(await client.ask('hello')).toBe('You said: hello');
      peer.behave({ conduct: 'stream' });
      expect(await client.ask('hello')).toBe('You said: hello');
      const { kinds, text } = await client.stream('hello');
      expect(text).toBe('You said: hello');
      expect(kinds[0]).toBe('task');
      expect(kinds.at(-1)).toBe('statusUpdate');
      peer.behave({ conduct: 'slow' });
      const task = await client.begin('work');
      expect(task).toMatch(/^[\da-f]{32}$/);
      const before = peer.requests.length;
      const following = client.follow(task);
      const upstream = /SubscribeToTask|resubscribe|:subscribe/;
      const isFollowed = () =>
        peer.requests
          .slice(before)
          .some(({ path, body }) => upstream.test(path) || upstream.test(JSON.stringify(body ?? '')));
      await waitFor(isFollowed, { what: 'the stream of the task' });
      expect(await client.cancel(task)).toBe('canceled');
      expect((await following).at(-1)).toBe('statusUpdate');
    });

    test.each(a2aGenerations)('are refused at an agent of %s, without anything coming to it', async (generation) => {
      const { id, peer } = world.agents[generation];
      peer.behave({ conduct: 'message' });
      const clientOf = async (team: Team) => {
        useKey(team);
        return openClient(name, baseOf(id));
      };
      const denied = await clientOf(world.theirs);
      expect(await refusalOf(denied.ask('hello'))).toMatch(told('no access|403|Forbidden'));
      expect(await refusalOf(denied.stream('hello'))).toMatch(told('no access|403|Forbidden'));

      const client = await clientOf(world.ours);
      const before = callsOf(peer);
      for (const how of ['ask', 'stream'] as const) {
        const refusal = await refusalOf(client[how]('please open sesame'));
        expect(refusal).toMatch(told('blocked by security policy|403|Forbidden'));
      }
      const limited = await clientOf(few);
      // The one call of this minute may be spent by a client before.
      const first = await refusalOf(limited.ask('hello'));
      const passed = first.startsWith('answered') ? 1 : 0;
      expect(await refusalOf(limited.ask('hello'))).toMatch(told('rate limit|429|Too Many'));
      expect(await refusalOf(limited.stream('hello'))).toMatch(told('rate limit|429|Too Many'));
      expect(callsOf(peer)).toBe(before + passed);
    });
  });
});
