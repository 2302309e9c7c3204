import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { a2aGenerations } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { addTeam, type Team } from './agent-caller.ts';
import { clientNames, openClient } from './agent-clients.ts';
import { openAgentWorld, type AgentWorld } from './agent-world.ts';
import { ways } from './start-gateway.ts';

// Official clients of every generation and binding, as they are, through the gateway to agents of every generation.

const policy = {
  name: 'doors',
  policy_type: 'a2a',
  rules: [{ id: 'DOOR', name: 'Open sesame', severity: 'High', patterns: ['open sesame'], action: 'block' }],
};

/**
 * Why a call was refused, in the words in which the client tells it. The official client of 0.2 reads the body of a
 * refusal twice and tells only that.
 */
const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: Error) => `${error.message} ${JSON.stringify(error)}`,
  );

describe.each(ways)('official clients (%s)', (way) => {
  const globalFetch = globalThis.fetch;
  let world: AgentWorld;
  beforeAll(async () => {
    world = await openAgentWorld(way);
    await world.gateway.admin.expect('POST', '/policies', { document: policy });
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

    test('are refused without access, for a forbidden text, and beyond their limit', async () => {
      const { id, peer } = world.agents['1.0'];
      peer.behave({ conduct: 'message' });
      useKey(world.theirs);
      const stranger = await openClient(name, baseOf(id));
      expect(await refusalOf(stranger.ask('hello'))).toMatch(/no access|403|Forbidden|already been read/i);

      useKey(world.ours);
      const client = await openClient(name, baseOf(id));
      const blocked = async () => {
        const told = await refusalOf(client.ask('please open sesame'));
        return told.startsWith('answered') ? undefined : told;
      };
      expect(await waitFor(blocked, { what: 'the policy to be in force' })).toMatch(
        /blocked by security policy|403|Forbidden|already been read/i,
      );
      expect(await refusalOf(client.stream('please open sesame'))).toMatch(
        /blocked by security policy|403|Forbidden|already been read/i,
      );

      const few = await addTeam(world.gateway, `few of ${name}`);
      await world.gateway.admin.expect('POST', `/agents/${id}/access`, { user_group_id: few.id, rate_limit: 1 });
      useKey(few);
      const limited = await openClient(name, baseOf(id));
      const refused = async () => {
        const told = await refusalOf(limited.ask('hello'));
        return told.startsWith('answered') || /no access|Invalid API key/i.test(told) ? undefined : told;
      };
      expect(await waitFor(refused, { what: 'the limit' })).toMatch(/rate limit|429|Too Many|already been read/i);
    });
  });
});
