import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startA2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { answer, startLoopbackPeer, type Peer } from '@portcullis/testkit/loopback-peer';
import { hash } from 'node:crypto';
import { parseAgentAddress } from '../agents/agent-address.ts';
import { createCardDiscovery, type CardDiscovery } from './discover-card.ts';
import { readAgentCard } from '@portcullis/platform/agents/read-agent-card';

const everywhere = { allowPrivate: true };

describe('the address of an agent', () => {
  test.each([
    ['https://agent.example', 'https://agent.example'],
    ['https://agent.example/', 'https://agent.example'],
    ['https://agent.example/teams/maps//', 'https://agent.example/teams/maps'],
  ])('%s', (given, baseUrl) => {
    expect(parseAgentAddress(given, everywhere)).toEqual({
      baseUrl,
      cardUrls: [`${baseUrl}/.well-known/agent-card.json`, `${baseUrl}/.well-known/agent.json`],
    });
  });

  test.each([
    ['agent', 'must be an absolute URL'],
    ['file:///etc/passwd', 'must start with http:// or https://'],
    ['https://user:secret@agent.example', 'must not carry a user name or password'],
    ['https://agent.example/?a=b', 'must be a base URL, without a query or a fragment'],
    [
      'https://agent.example/x/.well-known/agent-card.json',
      'without the path of its card; try https://agent.example/x, with card_url beside it where the card has a path of its own',
    ],
    ['https://agent.example/.well-known', 'try https://agent.example'],
    ['https://agent.example/card.json', 'try https://agent.example'],
  ])('is not %s', (given, rule) => {
    expect(parseAgentAddress(given, everywhere).rule).toContain(rule);
  });

  test.each(['http://169.254.169.254', 'http://[::ffff:10.0.0.1]', 'http://2130706433', 'http://localhost'])(
    'is not %s where private addresses are not allowed',
    (given) => {
      expect(parseAgentAddress(given, { allowPrivate: false }).rule).toMatch(/must not point to/);
    },
  );
});

describe('the discovery of a card', () => {
  let server: Peer;
  let discovery: CardDiscovery;
  const card = (url: string) => ({ name: 'Maps', url, skills: [] });

  beforeAll(async () => {
    server = await startLoopbackPeer((request, response) => {
      const [, agent] = request.path.split('/');
      if (agent === 'none') return answer(response, 404, 'nothing');
      if (agent === 'broken') return answer(response, 500, 'broken');
      if (agent === 'moved') return answer(response, 302, '', { location: 'http://127.0.0.1:9/' });
      if (agent === 'page') return answer(response, 200, '<html>');
      if (agent === 'large') return answer(response, 200, `"${'x'.repeat(300_000)}"`);
      if (agent === 'grpc') {
        const supportedInterfaces = [{ url: 'agent:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }];
        return answer(response, 200, { name: 'Maps', supportedInterfaces });
      }
      answer(response, 200, card(agent === 'elsewhere' ? 'http://127.0.0.1:9/rpc' : `${server.url}/rpc`));
    });
    discovery = createCardDiscovery(everywhere);
  });
  afterAll(async () => {
    await discovery[Symbol.asyncDispose]();
    await server.down();
  });

  test.each([
    ['1.0', 'agent-card.json'],
    ['0.3', 'agent-card.json'],
    ['0.2', 'agent.json'],
  ] as const)('finds an agent made of the official kit of %s', async (generation, file) => {
    await using agent = await startA2aPeer({ generation });
    const { found } = await discovery.discover(agent.url);
    expect(found).toMatchObject({
      baseUrl: agent.url,
      foundAt: `${agent.url}/.well-known/${file}`,
      writtenIn: generation,
      card: { name: 'Echo' },
    });
    expect(found?.sourceHash).toBe(hash('sha256', found?.source ?? ''));
    expect(agent.requests.at(-1)?.headers).toMatchObject({ 'a2a-version': '1.0', accept: 'application/json' });
  });

  test.each([
    ['none', 'no_card', /There is no agent card at .*agent-card\.json or .*agent\.json/],
    ['broken', 'unreachable', /answered with the status 500$/],
    ['moved', 'unreachable', /a redirect, which is not followed/],
    ['large', 'unreachable', /longer than 262144 bytes/],
    ['page', 'bad_card', /cannot be used/],
    ['grpc', 'unspoken', 'nothing that is spoken here'],
    ['elsewhere', 'bad_card', /leads to other servers/],
  ] as const)('tells what is wrong: %s', async (agent, kind, message) => {
    const { problem } = await discovery.discover(`${server.url}/${agent}`);
    expect(problem).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  test('interfaces on other servers are for an admin to decide', async () => {
    const address = `${server.url}/elsewhere`;
    const rule = `must be below ${server.url}, where the card is`;
    expect((await discovery.discover(address)).problem?.problems).toEqual([
      { path: '/supportedInterfaces/0/url', rule },
    ]);
    expect(
      (await discovery.discover(address, { acceptsOtherOrigins: true })).found?.card.supportedInterfaces[0]?.url,
    ).toBe('http://127.0.0.1:9/rpc');
  });

  test('is told where the card is, and what is called', async () => {
    const cardUrl = `${server.url}/elsewhere/agentCard/v1.0?api-version=v1`;
    // Interfaces may be where the admin says that the agent is, and where the card is.
    const base = 'http://127.0.0.1:9/maps';
    expect((await discovery.discover(base, { cardUrl })).found).toMatchObject({ baseUrl: base, foundAt: cardUrl });
    expect((await discovery.discover('http://127.0.0.1:10', { cardUrl })).problem?.problems).toEqual([
      {
        path: '/supportedInterfaces/0/url',
        rule: `must be below http://127.0.0.1:10 or ${server.url}, where the agent and its card are`,
      },
    ]);
    const targetUrl = 'http://127.0.0.1:11/rpc';
    expect((await discovery.discover('http://127.0.0.1:10', { cardUrl, targetUrl })).found?.foundAt).toBe(cardUrl);
    const missing = `${server.url}/none/card`;
    expect((await discovery.discover(server.url, { cardUrl: missing })).problem?.message).toBe(
      `There is no agent card at ${missing}`,
    );
  });

  test('shows credentials to a server that asks for them alone', async () => {
    const seen: (string | undefined)[] = [];
    await using closed = await startLoopbackPeer(({ headers, path }, response) => {
      seen.push(headers.authorization);
      const isIn = path.startsWith('/open') || headers.authorization === 'Bearer key';
      answer(response, isIn ? 200 : 403, isIn ? card(`${closed.url}/rpc`) : 'no');
    });
    const credentialsFor = (url: string) => ({ authorization: url.startsWith(closed.url) ? 'Bearer key' : 'none' });
    expect((await discovery.discover(`${closed.url}/open`, { credentialsFor })).found).toBeDefined();
    expect((await discovery.discover(`${closed.url}/shut`, { credentialsFor })).found).toBeDefined();
    expect(seen).toEqual([undefined, undefined, 'Bearer key']);
    expect((await discovery.discover(`${closed.url}/shut`)).problem?.message).toMatch(/status 403: give target_auth/);
  });

  test('goes nowhere that the address guard refuses', async () => {
    const before = server.requests.length;
    await using strict = createCardDiscovery({ allowPrivate: false });
    expect((await strict.discover(server.url)).problem?.kind).toBe('address');
    const cardUrl = `${server.url}/card`;
    expect((await strict.discover('https://agent.example', { cardUrl })).problem?.kind).toBe('address');
    // A name says nothing; the address that it resolves to is looked at when the connection is made.
    const local = `http://${(await import('node:os')).hostname()}:${server.port}`;
    expect(['refused', 'unreachable', 'address']).toContain((await strict.discover(local)).problem?.kind);
    expect(server.requests).toHaveLength(before);
  });

  test('a server that is away is told as such', async () => {
    await using away = await startLoopbackPeer(() => undefined);
    await away.down();
    expect((await discovery.discover(away.url)).problem?.kind).toBe('unreachable');
  });

  test('and one that says nothing', async () => {
    await using silent = await startLoopbackPeer(() => undefined);
    await using hasty = createCardDiscovery(everywhere, 50);
    expect((await hasty.discover(silent.url)).problem?.kind).toBe('unreachable');
  });
});

test('a card is read from text and from an object alike', () => {
  const card = { name: 'Maps', url: 'https://agent.example' };
  const { read } = readAgentCard(card);
  expect(read).toMatchObject({ source: JSON.stringify(card), writtenIn: '0.2' });
  expect(readAgentCard(JSON.stringify(card))).toEqual({ read });
  expect(readAgentCard('{').problems).toEqual([{ path: '', rule: 'must be JSON' }]);
  expect(readAgentCard({ ...card, protocolVersion: '9.9' }).problems?.[0]?.rule).toContain('it offers JSONRPC 9.9');
});
