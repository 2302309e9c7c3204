import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Agent } from '@portcullis/contracts/routes/agents';
import { startA2aPeer, type A2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import type { ManagementClient } from '@portcullis/testkit/management-client';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { addTeam, type Team } from './agent-caller.ts';
import { openClient } from './agent-clients.ts';
import { startGateway, waysFor } from './start-gateway.ts';

// Agents that do not know where they are reached, as those in containers and behind load balancers, or whose card has a
// path of its own and is for those who sign in, as those of Azure AI Foundry.

const cardPath = '/api/projects/maps/agents/echo/endpoint/protocols/a2a/agentCard/v1.0?api-version=v1';
const bearer = 'key-of-the-agent';
const auth = { value: bearer };

describe.each(waysFor('one process'))('agents at addresses that an admin gives (%s)', (way) => {
  let gateway: TestGateway;
  let admin: ManagementClient;
  let ours: Team;
  beforeAll(async () => {
    gateway = await startGateway(way, {}, ['a2a-hub']);
    ({ admin } = gateway);
    ours = await addTeam(gateway, 'ours');
  });
  afterAll(async () => gateway[Symbol.asyncDispose]());
  const globalFetch = globalThis.fetch;
  afterEach(async () => {
    globalThis.fetch = globalFetch;
    const { agents } = await admin.expect<{ agents: readonly Agent[] }>('GET', '/agents');
    for (const { id } of agents) await admin.expect('DELETE', `/agents/${id}`);
  });

  const register = (body: object): Promise<Agent> => admin.expect<Agent>('POST', '/agents', { name: 'Echo', ...body });
  const change = (id: number, body: object) => admin.call<Agent>('PUT', `/agents/${id}`, body);
  const lostAgent = (named = 'http://0.0.0.0:8000') =>
    startA2aPeer({ generation: '1.0', conduct: 'stream', card: { namedOrigin: named, path: cardPath }, bearer });
  const placed = ({ url }: A2aPeer) => ({ url, card_url: url + cardPath, target_url: `${url}/rpc`, target_auth: auth });

  /** Asks as a member of the team, with the official client, until the gateway knows of the access. */
  async function ask(id: number, text: string): Promise<string> {
    await admin.expect('POST', `/agents/${id}/access`, { user_group_id: ours.id });
    await waitFor(async () => (await ours.call('GET', `/agents/${id}/tasks`)).status === 200, { what: 'the access' });
    globalThis.fetch = (input, init = {}) => {
      const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : {}));
      headers.set('x-api-key', ours.key);
      return globalFetch(input, { ...init, headers });
    };
    const client = await openClient('1.0 JSONRPC', `${gateway.url}/a2a/v1/agents/${id}/`);
    return client.ask(text);
  }

  test('are called by the official client where the admin says, with the credentials', async () => {
    await using agent = await lostAgent();
    const created = await register(placed(agent));
    expect(created).toMatchObject({
      url: agent.url,
      card_url: agent.url + cardPath,
      target_url: `${agent.url}/rpc`,
      agent_card: { supported_interfaces: [{ url: 'http://0.0.0.0:8000/rpc' }, { url: 'http://0.0.0.0:8000/http' }] },
    });
    expect(await ask(created.id, 'Bern')).toContain('Bern');
    expect(agent.requests.at(-1)).toMatchObject({ path: '/rpc', headers: { authorization: `Bearer ${bearer}` } });
    // Callers learn of the gateway alone.
    const { data: seen } = await ours.call<Agent>('GET', `/agents/${created.id}`);
    expect(seen).toMatchObject({ url: null, card_url: null, target_url: null });
    expect(JSON.stringify(seen)).not.toContain(agent.url);
    // As it was read it can be written; a card that is the same, with other addresses of its own, is no change.
    expect((await change(created.id, { ...created, status: 'active' })).status).toBe(200);
    expect(await admin.expect('POST', `/agents/${created.id}/detect-changes`)).toMatchObject({ change: null });
    agent.behave({ card: { version: '1.0.1' } });
    expect(await admin.expect('PUT', `/agents/${created.id}`)).toMatchObject({ agent_card: { version: '1.0.1' } });
  });

  test('are refused where their cards are wrong, and told how they can be called', async () => {
    await using agent = await lostAgent('http://localhost:8000');
    const { target_url: _, ...body } = placed(agent);
    expect(await admin.call('POST', '/agents', { name: 'Echo', ...body })).toMatchObject({
      status: 400,
      message: expect.stringContaining('give target_url'),
    });
    expect(await admin.call('POST', '/agents', { name: 'Echo', url: agent.url, target_auth: auth })).toMatchObject({
      status: 400,
      problems: [{ path: '/body/url', rule: expect.stringContaining('There is no agent card at') }],
    });
    const { target_auth: __, ...open } = placed(agent);
    expect(await admin.call('POST', '/agents', { name: 'Echo', ...open })).toMatchObject({
      status: 502,
      message: expect.stringContaining('status 401: give target_auth'),
    });
    for (const [field, path] of [
      ['card_url', '/body/card_url'],
      ['target_url', '/body/target_url'],
    ] as const) {
      const metadata = { ...placed(agent), [field]: 'http://169.254.169.254/latest' };
      expect(await admin.call('POST', '/agents', { name: 'Echo', ...metadata })).toMatchObject({
        problems: [{ path }],
      });
    }
    expect(await admin.call('POST', '/agents', { name: 'Echo', card_url: agent.url + cardPath })).toMatchObject({
      status: 400,
      problems: [{ path: '/body/card_url', rule: expect.stringContaining('must stand beside url') }],
    });
  });

  test('keep their credentials from servers that they were not given for', async () => {
    await using agent = await lostAgent();
    const heard: (string | undefined)[] = [];
    await using other = await startLoopbackPeer(({ headers }, response) => {
      heard.push(headers.authorization);
      answer(response, 401, 'who are you?');
    });
    const { id } = await register(placed(agent));
    const moved = { target_url: `${other.url}/rpc` };
    expect(await change(id, moved)).toMatchObject({ status: 400, problems: [{ path: '/body/target_auth' }] });
    // The card of the agent itself may not lead the calls away either.
    expect(await change(id, { target_url: null, accepts_other_origins: true })).toMatchObject({
      status: 400,
      problems: [{ path: '/body/target_auth' }],
    });
    // A server that asks for credentials does not get those of another.
    expect((await change(id, { card_url: `${other.url}/card` })).status).toBe(502);
    expect(heard).toEqual([undefined]);
    const { card_url, target_url } = placed(agent);
    expect(await admin.expect('GET', `/agents/${id}`)).toMatchObject({ card_url, target_url, has_target_auth: true });
    expect(await change(id, { ...moved, target_auth: { value: 'another' } })).toMatchObject({ status: 200 });
    await ask(id, 'Bern').catch(() => undefined);
    expect(new Set(heard)).toEqual(new Set([undefined, 'Bearer another']));
  });

  test('whose card was sent are called where the admin says, and where the card says when that ends', async () => {
    await using agent = await startA2aPeer({ generation: '1.0', conduct: 'stream' });
    const card = (url: string) => ({
      name: 'Echo',
      description: 'Says what it hears',
      version: '1.0.0',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    });
    const refused = { name: 'Echo', agent_card: card('http://169.254.169.254/rpc') };
    expect((await admin.call('POST', '/agents', refused)).status).toBe(400);
    const { id } = await register({ ...refused, target_url: `${agent.url}/rpc` });
    expect(await ask(id, 'Bern')).toContain('Bern');
    expect(await change(id, { target_url: null })).toMatchObject({
      status: 400,
      problems: [
        { path: '/body/target_url', rule: expect.stringMatching(/^lets \/supportedInterfaces\/0\/url .* must not/) },
      ],
    });
    const own = await change(id, { agent_card: card(`${agent.url}/rpc`), target_url: null });
    expect(own).toMatchObject({ status: 200, data: { target_url: null } });
    expect(await ask(id, 'Thun')).toContain('Thun');
  });
});
