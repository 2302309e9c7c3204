import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Agent } from '@portcullis/contracts/routes/agents';
import { a2aGenerations, startA2aPeer, type A2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { addTeam, auditOf, callerWith } from './agent-caller.ts';
import { startGateway, waysFor } from './start-gateway.ts';

interface ServedCard {
  readonly name: string;
  readonly description: string;
  readonly supportedInterfaces: readonly { readonly url: string; readonly protocolVersion: string }[];
  readonly signatures?: readonly { readonly protected: string; readonly signature: string }[];
  readonly url?: string;
}

const publicUrl = 'https://gateway.example';

describe.each(waysFor('one process'))('the cards that the gateway serves (%s)', (way) => {
  let gateway: TestGateway;
  let peers: readonly A2aPeer[];
  let agents: readonly Agent[];
  beforeAll(async () => {
    gateway = await startGateway(way, { PUBLIC_URL: `${publicUrl}/` }, ['a2a-hub']);
    await waitFor(async () => (await gateway.admin.call('GET', '/agents')).status === 200, { what: 'the hub' });
    peers = await Promise.all(a2aGenerations.map((generation) => startA2aPeer({ generation })));
    const registered: Agent[] = [];
    for (const [index, { url }] of peers.entries()) {
      registered.push(await gateway.admin.expect<Agent>('POST', '/agents', { name: `Echo ${index}`, url }));
    }
    agents = registered;
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    for (const peer of peers) await peer[Symbol.asyncDispose]();
  });

  const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });
  const read = async (path: string, headers: Record<string, string> = {}) =>
    (await (await get(path, headers)).json()) as ServedCard;
  const placeOf = ({ id }: Agent, file = 'agent-card.json') => `/a2a/v1/agents/${id}/.well-known/${file}`;
  const current = { 'a2a-version': '1.0' };

  test('an agent of any generation has a card that names the gateway only, in every form', async () => {
    for (const [index, agent] of agents.entries()) {
      const endpoint = `${publicUrl}/a2a/v1/agents/${agent.id}`;
      const forms = [
        await read(placeOf(agent), current),
        await read(placeOf(agent)),
        await read(placeOf(agent), { 'a2a-version': '0.3' }),
        await read(placeOf(agent, 'agent.json')),
      ];
      for (const card of forms) {
        expect(card).toMatchObject({ name: 'Echo', description: 'Says what it hears' });
        expect(JSON.stringify(card)).not.toContain(peers[index]?.url);
      }
      const [pure, hybrid, , oldest] = forms;
      expect(pure?.supportedInterfaces.every(({ url }) => url === endpoint)).toBe(true);
      expect(pure).not.toHaveProperty('url');
      expect(hybrid).toMatchObject({ url: endpoint, protocolVersion: '0.3.0', supportedInterfaces: expect.any(Array) });
      expect(oldest).toMatchObject({ url: endpoint, preferredTransport: 'JSONRPC' });
      expect(oldest).not.toHaveProperty('supportedInterfaces');
    }
  });

  test('the pure form is signed with the published key, and no other form is', async () => {
    const [agent] = agents as [Agent];
    const keys = (await (await get('/.well-known/jwks.json')).json()) as JSONWebKeySet;
    expect(JSON.stringify(keys)).not.toContain('"d"');
    for (const path of [placeOf(agent), '/.well-known/agent-card.json']) {
      const { signatures, ...card } = await read(path, current);
      const payload = Buffer.from(sorted(card)).toString('base64url');
      const outcomes = await Promise.allSettled(
        (signatures ?? []).map((one) =>
          compactVerify(`${one.protected}.${payload}.${one.signature}`, createLocalJWKSet(keys), {
            algorithms: ['ES256'],
          }),
        ),
      );
      expect([path, outcomes.some(({ status }) => status === 'fulfilled')]).toEqual([path, true]);
      expect(await read(path)).not.toHaveProperty('signatures');
    }
  });

  test('the gateway has a card of its own', async () => {
    expect(await read('/.well-known/agent-card.json', current)).toMatchObject({
      name: 'Portcullis',
      supportedInterfaces: [{ url: `${publicUrl}/a2a/v1`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
  });

  test('a card can be kept and asked for again', async () => {
    const [agent] = agents as [Agent];
    const first = await get(placeOf(agent), current);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-type')).toMatch(/^application\/json/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(first.headers.get('vary')).toContain('A2A-Version');
    // Without the second header fetch says that it wants no kept answer.
    const known = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await get(placeOf(agent), { ...current, ...known })).status).toBe(304);
    expect((await get(placeOf(agent), known)).status).toBe(200);
    expect((await get('/a2a/v1/agents/999999/.well-known/agent-card.json')).status).toBe(404);
  });

  test('another key signs after a change of keys, and the one before stays published', async () => {
    const [agent] = agents as [Agent];
    const kidsOf = async () =>
      new Set((await read(placeOf(agent), current)).signatures?.map((one) => headerOf(one).kid) ?? []);
    const [before] = [...(await kidsOf())];
    const { kid } = await gateway.admin.expect<{ kid: string }>('POST', '/agents/signing-keys');
    expect(kid).not.toBe(before);
    expect([...(await kidsOf())]).toEqual([kid]);
    const { keys } = (await (await get('/.well-known/jwks.json')).json()) as JSONWebKeySet;
    expect(keys.map((key) => key.kid)).toEqual([kid, before]);
    expect(await gateway.admin.expect('GET', '/agents/signing-keys')).toMatchObject([
      { kid, algorithm: 'ES256', retired_at: null },
      { kid: before, retired_at: expect.any(String) },
    ]);
    expect((await auditOf(gateway.admin, 'agent.signing_key.rotated'))[0]).toMatchObject({ resource: { name: kid } });
    expect((await callerWith(gateway)('POST', '/agents/signing-keys')).status).toBe(401);
  });

  test('callers learn from the API, too, where the gateway is, and not where the agent is', async () => {
    const [agent] = agents as [Agent];
    const team = await addTeam(gateway, 'ours');
    await gateway.admin.expect('POST', `/agents/${agent.id}/access`, { user_group_id: team.id });
    const { data } = await team.call<Agent>('GET', `/agents/${agent.id}`);
    expect(data).toMatchObject({
      url: null,
      agent_card: { supported_interfaces: [{ url: `${publicUrl}/a2a/v1/agents/${agent.id}` }, {}, {}, {}] },
    });
    expect(JSON.stringify(data)).not.toContain(peers[0]?.url);
  });
});

const headerOf = (signature: { readonly protected: string }) =>
  JSON.parse(Buffer.from(signature.protected, 'base64url').toString()) as { kid: string };

/** JSON with sorted keys, written here anew: a verifier has only the specification. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${sorted(inner)}`).join(',')}}`;
}
