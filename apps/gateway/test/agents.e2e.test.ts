import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Agent } from '@portcullis/contracts/routes/agents';
import { a2aGenerations, startA2aPeer, type A2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import type { ManagementClient } from '@portcullis/testkit/management-client';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { addTeam, auditOf, callerWith, signIn, type Team } from './agent-caller.ts';
import { startGateway, waysFor } from './start-gateway.ts';

interface AgentPage {
  readonly agents: readonly Agent[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

const card = (url: string, change: object = {}) => ({
  name: 'Maps',
  description: 'Plans ways',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true, extensions: [{ uri: 'https://ext.example', params: { keepThis: { as_is: 1 } } }] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'route', name: 'Route', description: 'Plans a way', tags: ['maps'] }],
  ...change,
});

describe.each(waysFor('one process'))('the registry of agents (%s)', (way) => {
  let gateway: TestGateway;
  let admin: ManagementClient;
  let ours: Team;
  let theirs: Team;
  let peer: A2aPeer;
  beforeAll(async () => {
    [gateway, peer] = await Promise.all([startGateway(way, {}, ['a2a-hub']), startA2aPeer({ generation: '1.0' })]);
    ({ admin } = gateway);
    ours = await addTeam(gateway, 'ours');
    theirs = await addTeam(gateway, 'theirs');
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    for (const { id } of (await list(admin)).agents) await admin.expect('DELETE', `/agents/${id}`);
  });

  const list = async ({ call }: Pick<Team, 'call'>, query = ''): Promise<AgentPage> =>
    (await call<AgentPage>('GET', `/agents${query}`)).data;
  const register = (body: object): Promise<Agent> => admin.expect<Agent>('POST', '/agents', body);
  const grant = (agent: Agent, team: Team, body: object = {}) =>
    admin.expect<{ id: number }>('POST', `/agents/${agent.id}/access`, { user_group_id: team.id, ...body });

  test.each(a2aGenerations)('finds the card of an agent of %s below its base URL', async (generation) => {
    await using agent = await startA2aPeer({ generation });
    const created = await register({ name: 'Echo', url: `${agent.url}/` });
    expect(created).toMatchObject({
      name: 'Echo',
      status: 'active',
      url: agent.url,
      has_target_auth: false,
      agent_card: {
        name: 'Echo',
        description: 'Says what it hears',
        capabilities: { streaming: true },
        skills: [{ id: 'echo', tags: ['test'] }],
      },
    });
    expect(created.agent_card.supported_interfaces[0]?.url).toContain(agent.url);
    expect(await admin.expect('GET', `/agents/${created.id}`)).toEqual(created);
  });

  test.each([
    ['a text', (value: object) => JSON.stringify(value)],
    ['an object', (value: object) => value],
  ])('takes a card as %s, and leaves what is the agent’s own as it is', async (_, write) => {
    const created = await register({ name: 'Maps', agent_card: write(card('https://agent.example/rpc')) });
    expect(created).toMatchObject({
      url: null,
      agent_card: {
        protocol_version: '1.0',
        supported_interfaces: [{ url: 'https://agent.example/rpc', protocol_binding: 'JSONRPC' }],
        capabilities: { extensions: [{ params: { keepThis: { as_is: 1 } } }] },
        default_input_modes: ['text/plain'],
      },
    });
    // As it was read it can be written.
    const written = await admin.expect<Agent>('PUT', `/agents/${created.id}`, { ...created, status: 'maintenance' });
    expect(written).toMatchObject({ status: 'maintenance', card_hash: created.card_hash });
  });

  describe('says what is wrong', () => {
    const registered = async (body: object) => {
      const { status, problems = [], message = '' } = await admin.call('POST', '/agents', { name: 'Maps', ...body });
      return [status, problems.map(({ path, rule }) => `${path} ${rule}`).join('\n'), message] as const;
    };

    test.each<[string, object, string]>([
      ['nothing', {}, '/body/url is required where agent_card is not given'],
      ['both', { url: 'https://a.example', agent_card: '{}' }, '/body/agent_card must not stand beside url'],
      ['no JSON', { agent_card: '{' }, '/body/agent_card must be JSON'],
      ['a list', { agent_card: '[]' }, '/body/agent_card must be an object'],
      ['no interface', { agent_card: { name: 'A' } }, '/body/agent_card/supportedInterfaces must name at least one'],
      ['no name', { agent_card: card('https://a.example', { name: undefined }) }, '/body/agent_card/name'],
      [
        'a wrong member',
        { agent_card: card('https://a.example', { capabilities: { streaming: 'yes' } }) },
        '/body/agent_card/capabilities/streaming must be true or false',
      ],
      [
        'a metadata service',
        { agent_card: card('http://169.254.169.254/rpc') },
        '/body/agent_card/supportedInterfaces/0/url must not point to a cloud metadata service',
      ],
      [
        'the same in a card of 0.3',
        { agent_card: { name: 'A', url: 'http://169.254.169.254/rpc', protocolVersion: '0.3.0' } },
        '/body/agent_card/url must not point to a cloud metadata service',
      ],
      ['a file', { url: 'file:///etc/passwd' }, '/body/url must start with http:// or https://'],
      ['credentials', { url: 'https://me:pw@a.example' }, '/body/url must not carry a user name or password'],
      ['the path of a card', { url: 'https://a.example/x/.well-known/agent-card.json' }, 'try https://a.example/x'],
      [
        'a header of the connection',
        { url: 'https://a.example', target_auth: { header: 'Host', value: 'x' } },
        '/body/target_auth/header must not be a header of the connection',
      ],
    ])('%s', async (_, body, rule) => {
      const [status, problems] = await registered(body);
      expect([status, problems]).toEqual([400, expect.stringContaining(rule)]);
    });

    test('a metadata service as the URL, in any spelling, is not gone to', async () => {
      for (const url of ['http://169.254.169.254', 'http://2852039166', 'http://[::ffff:a9fe:a9fe]']) {
        const [status, problems] = await registered({ url });
        expect([url, status, problems]).toEqual([url, 422, expect.stringContaining('/body/url must not point to')]);
      }
    });

    test('an agent that is away, and a server without a card', async () => {
      expect((await registered({ url: 'http://127.0.0.1:9' }))[0]).toBe(502);
      const [status, problems] = await registered({ url: `${peer.url}/nothing/here` });
      expect([status, problems]).toEqual([400, expect.stringContaining('There is no agent card at')]);
    });
  });

  test('a name is there once, in any case', async () => {
    const { id } = await register({ name: 'Maps', agent_card: card('https://agent.example') });
    const body = { name: 'mAPS', agent_card: card('https://agent.example') };
    expect(await admin.call('POST', '/agents', body)).toMatchObject({ status: 409, error_code: 'CONFLICT' });
    await register({ ...body, name: 'Mail' });
    expect((await admin.call('PUT', `/agents/${id}`, { name: 'MAIL' })).status).toBe(409);
  });

  test('filters and pages', async () => {
    for (const [name, status] of [
      ['a', 'active'],
      ['b', 'inactive'],
      ['c', 'maintenance'],
    ]) {
      await register({ name, status, agent_card: card('https://agent.example', { description: `About ${name}!` }) });
    }
    const names = async (query: string) => (await list(admin, query)).agents.map(({ name }) => name);
    expect(await list(admin)).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect(await names('?status=inactive')).toEqual(['b']);
    expect(await names('?search=ABOUT%20C!')).toEqual(['c']);
    expect(await list(admin, '?limit=1&offset=1')).toMatchObject({ agents: [{ name: 'b' }], total: 3, limit: 1 });
    for (const query of ['?limit=101', '?limit=0', '?offset=-1', '?status=asleep']) {
      expect([query, (await admin.call('GET', `/agents${query}`)).status]).toEqual([query, 400]);
    }
  });

  test('an agent that offers gRPC alone is refused with what is missing', async () => {
    const agent_card = {
      name: 'Far',
      description: 'Speaks gRPC',
      version: '1.0.0',
      capabilities: {},
      skills: [],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    };
    expect(await admin.call('POST', '/agents', { name: 'Far', agent_card })).toMatchObject({
      status: 422,
      problems: [{ rule: expect.stringMatching(/must offer JSONRPC .* or HTTP\+JSON .*; it offers GRPC 1\.0/) }],
    });
  });

  test('a PUT reads the card of an agent with a URL again, also with a card; one with a card and no URL replaces it', async () => {
    const { id, card_hash: first } = await register({ name: 'Echo', url: peer.url });
    peer.behave({ card: { version: '2.0.0' } });
    const again = await admin.expect<Agent>('PUT', `/agents/${id}`);
    expect(again).toMatchObject({ url: peer.url, agent_card: { version: '2.0.0' } });
    expect(again.card_hash).not.toBe(first);
    const read = await admin.expect<Agent>('PUT', `/agents/${id}`, { agent_card: card('https://agent.example') });
    expect(read).toMatchObject({ url: peer.url, agent_card: { version: '2.0.0' } });
    const sent = { url: null, agent_card: card('https://agent.example') };
    const replaced = await admin.expect<Agent>('PUT', `/agents/${id}`, sent);
    expect(replaced).toMatchObject({ url: null, agent_card: { name: 'Maps' } });
    expect(await admin.call('PUT', `/agents/${id}`, {})).toMatchObject({
      status: 400,
      problems: [{ path: '/body/agent_card', rule: expect.stringContaining('there is no URL to read it from') }],
    });
    expect(await admin.expect('PUT', `/agents/${id}`, { url: peer.url })).toMatchObject({ url: peer.url });
  });

  test('interfaces on other servers are for an admin to accept, and stay accepted while they are in the card', async () => {
    await using server = await startLoopbackPeer((_request, response) =>
      answer(response, 200, card('https://elsewhere.example/rpc')),
    );
    const body = { name: 'Maps', url: server.url };
    expect(await admin.call('POST', '/agents', body)).toMatchObject({
      status: 400,
      problems: [{ path: '/supportedInterfaces/0/url', rule: `must be below ${server.url}, where the card is` }],
    });
    const { id } = await register({ ...body, accepts_other_origins: true });
    expect(await admin.call('PUT', `/agents/${id}`, { accepts_other_origins: false })).toMatchObject({
      status: 400,
      problems: [{ path: '/body/accepts_other_origins' }],
    });
    expect((await admin.call('PUT', `/agents/${id}`)).status).toBe(200);
  });

  test('changes what is given while the agent is away', async () => {
    const away = await startA2aPeer({ generation: '1.0' });
    const { id } = await register({ name: 'Echo', url: away.url });
    await away[Symbol.asyncDispose]();
    expect(await admin.expect('PUT', `/agents/${id}`, { status: 'maintenance', name: 'Gone' })).toMatchObject({
      name: 'Gone',
      status: 'maintenance',
    });
    expect((await admin.call('PUT', `/agents/${id}`)).status).toBe(502);
  });

  test('credentials are written only, and belong to the servers of the card', async () => {
    const auth = { header: 'X-Agent-Key', value: 'the agent’s secret'.replace('’', '') };
    const { id } = await register({ name: 'Maps', agent_card: card('https://agent.example'), target_auth: auth });
    const shown = await admin.expect<Agent>('GET', `/agents/${id}`);
    expect(shown.has_target_auth).toBe(true);
    expect(JSON.stringify([shown, await auditOf(admin, 'agent.created')])).not.toContain(auth.value);
    const moved = { agent_card: card('https://other.example') };
    expect(await admin.call('PUT', `/agents/${id}`, moved)).toMatchObject({
      status: 400,
      problems: [{ path: '/body/target_auth' }],
    });
    expect(await admin.expect('PUT', `/agents/${id}`, { ...moved, target_auth: null })).toMatchObject({
      has_target_auth: false,
      agent_card: { supported_interfaces: [{ url: 'https://other.example' }] },
    });
  });

  test('access is given to a user group once, changed, and taken', async () => {
    const agent = await register({ name: 'Maps', agent_card: card('https://agent.example') });
    const { id } = await grant(agent, ours, { rate_limit: 7 });
    expect(await grant(agent, ours, { active: false })).toMatchObject({ id, rate_limit: 7, active: false });
    const path = `/agents/${agent.id}/access`;
    const entry = { agent_id: agent.id, user_group_id: ours.id, user_group_name: 'ours', rate_limit: 9, active: true };
    expect(await admin.expect('PUT', `${path}/${id}`, { rate_limit: 9, active: true })).toMatchObject(entry);
    expect(await admin.expect('GET', path)).toMatchObject([{ id, ...entry }]);
    expect((await admin.call('POST', path, { user_group_id: 999_999 })).status).toBe(404);
    expect((await admin.call('POST', '/agents/999999/access', { user_group_id: ours.id })).status).toBe(404);
    expect((await admin.call('POST', path, { user_group_id: ours.id, rate_limit: -1 })).status).toBe(400);
    const other = await register({ name: 'Mail', agent_card: card('https://agent.example') });
    expect((await admin.call('DELETE', `/agents/${other.id}/access/${id}`)).status).toBe(404);
    await admin.expect('DELETE', `${path}/${id}`);
    expect(await admin.expect('GET', path)).toEqual([]);
    expect((await auditOf(admin, 'agent.access.removed')).length).toBeGreaterThan(0);
    expect((await auditOf(admin, 'agent.access.updated'))[0]?.changes).toMatchObject({
      rate_limit: { from: 7, to: 9 },
    });
  });

  test('a key sees what its user group may use, in any status, and nothing of others', async () => {
    const maps = await register({ name: 'Maps', agent_card: card('https://agent.example') });
    const mail = await register({ name: 'Mail', status: 'inactive', agent_card: card('https://agent.example') });
    await grant(maps, ours);
    await grant(mail, ours);
    await grant(mail, theirs, { active: false });
    expect((await list(ours)).agents.map(({ name, status }) => [name, status])).toEqual([
      ['Mail', 'inactive'],
      ['Maps', 'active'],
    ]);
    expect(await list(theirs)).toMatchObject({ agents: [], total: 0 });
    const refused = await theirs.call('GET', `/agents/${maps.id}`);
    expect(refused).toMatchObject({ status: 403, error_code: 'FORBIDDEN' });
    // What is not there is refused alike.
    expect(await theirs.call('GET', '/agents/999999')).toEqual(refused);
    expect((await ours.call('GET', `/agents/${maps.id}`)).status).toBe(200);
    expect((await admin.call('GET', '/agents/999999')).status).toBe(404);
  });

  test('users reach what their user groups may use, and change nothing', async () => {
    const agent = await register({ name: 'Maps', agent_card: card('https://agent.example') });
    await grant(agent, ours);
    const viewer = await signIn(gateway, 'user', `user-${agent.id}`);
    expect((await list(viewer)).total).toBe(0);
    expect((await viewer.call('GET', `/agents/${agent.id}`)).status).toBe(403);
    await admin.expect('POST', `/auth/groups/${ours.id}/users/${viewer.id}`);
    expect((await list(viewer)).total).toBe(1);
    const changes: readonly (readonly [string, string, object?])[] = [
      ['POST', '/agents', { name: 'Mine', agent_card: card('https://agent.example') }],
      ['PUT', `/agents/${agent.id}`, { status: 'inactive' }],
      ['DELETE', `/agents/${agent.id}`],
      ['GET', `/agents/${agent.id}/access`],
      ['POST', `/agents/${agent.id}/access`, { user_group_id: ours.id }],
      ['GET', `/agents/${agent.id}/logs`],
    ];
    for (const [method, path, body] of changes) {
      expect([method, path, (await viewer.call(method, path, body)).status]).toEqual([method, path, 403]);
      expect([method, path, (await ours.call(method, path, body)).status]).toEqual([method, path, 401]);
      expect([method, path, (await callerWith(gateway)(method, path, body)).status]).toEqual([method, path, 401]);
    }
  });

  test('with an agent, all that belongs to it goes', async () => {
    const agent = await register({ name: 'Maps', agent_card: card('https://agent.example') });
    await grant(agent, ours);
    await admin.expect('DELETE', `/agents/${agent.id}`);
    for (const path of ['', '/access', '/logs', '/logs/1']) {
      expect((await admin.call('GET', `/agents/${agent.id}${path}`)).status).toBe(404);
    }
    expect((await admin.call('DELETE', `/agents/${agent.id}`)).status).toBe(404);
    expect(await list(ours)).toMatchObject({ total: 0 });
    expect((await auditOf(admin, 'agent.deleted'))[0]).toMatchObject({ resource: { name: 'Maps' } });
  });
});
