import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collect } from '@portcullis/testkit/a2a-peer/collect-stream';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startAgentGateway, streamEvents, type AgentGateway } from './start-agent-gateway.ts';
import { waysFor } from './start-gateway.ts';

const policy = {
  name: 'doors of the hub',
  policy_type: 'a2a',
  rules: [
    { id: 'DOOR', name: 'Open sesame', severity: 'High', patterns: ['open sesame'], action: 'block' },
    {
      id: 'FRUIT',
      name: 'Forbidden fruit',
      severity: 'High',
      conditions: { direction: 'response' },
      patterns: ['said: forbidden fruit'],
      action: 'block',
    },
    {
      id: 'CODE',
      name: 'Codes of the house',
      severity: 'Medium',
      patterns: ['code-\\d{6}'],
      action: 'redact',
      redact: { restore: true },
    },
  ],
};

interface Answer {
  readonly result?: never;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

describe.each(waysFor('one process'))('the hub of agents (%s)', (way) => {
  let world: AgentGateway;
  beforeAll(async () => {
    world = await startAgentGateway(way, { AGENT_ADMIN_RATE_LIMIT: '3', AGENT_OPEN_TASKS: '4' });
    await world.gateway.admin.expect('POST', '/policies', { document: policy });
  });
  afterAll(async () => world[Symbol.asyncDispose]());

  const post = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${world.gateway.url}/a2a/v1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, ...((await response.json()) as Answer) };
  };
  const call = (method: string, params?: object, key: string | undefined = world.ours.key) =>
    post({ jsonrpc: '2.0', id: 7, method, params }, key === undefined ? {} : { 'x-api-key': key });
  const ask = (method: string, params: object) => post({ jsonrpc: '2.0', id: 7, method, params });
  const message = (text: string) => ({ role: 'user', parts: [{ kind: 'text', text }] });

  test('lists all agents to all, and to a key those that it may call', async () => {
    const everyone = await ask('agents/list', {});
    expect(everyone).toMatchObject({ status: 200, jsonrpc: '2.0', id: 7 });
    expect(everyone.result).toHaveLength(3);
    expect(everyone.result?.[0]).toMatchObject({
      agent_id: world.agents['0.2'].id,
      status: 'active',
      name: 'Echo',
      protocol_version: '1.0',
      skills: [{ id: 'echo' }],
    });
    // No address of an agent is told.
    for (const { peer } of Object.values(world.agents)) expect(JSON.stringify(everyone)).not.toContain(peer.url);
    expect((await call('agents/list')).result).toHaveLength(3);
    expect((await call('agents/list', {}, world.theirs.key)).result).toHaveLength(0);
    expect((await call('agents/list', { limit: 1, offset: 1, search: 'OF 0.3' })).result).toHaveLength(0);
    expect((await call('agents/list', { limit: 0 })).error).toMatchObject({ code: -32_602 });
    expect(await call('agents/list', {}, 'gw_unknown')).toMatchObject({ status: 401, error: { code: -32_000 } });
  });

  test('shows an agent to those who may call it', async () => {
    const { id } = world.agents['1.0'];
    expect((await call('agents/get', { agent_id: id })).result).toMatchObject({ agent_id: id, name: 'Echo' });
    expect((await call('agents/get', { agent_id: id }, world.theirs.key)).error).toMatchObject({ code: -32_000 });
    expect((await call('agents/get', { agent_id: 'x' })).error).toMatchObject({ code: -32_602 });
    expect(await ask('agents/get', { agent_id: id })).toMatchObject({
      status: 401,
      error: { message: 'Missing API key' },
    });
  });

  test('invokes an agent, and answers with a message', async () => {
    const { id, peer } = world.agents['0.3'];
    for (const conduct of ['message', 'stream'] as const) {
      peer.behave({ conduct });
      const { result } = await call('agents/invoke', { agent_id: id, message: message('hello') });
      expect(result).toMatchObject({ kind: 'message', messageId: expect.any(String), role: 'agent' });
      const { parts } = result as unknown as { parts: { text: string }[] };
      expect(parts.map(({ text }) => text).join('')).toBe('You said: hello');
    }
  });

  test('streams tasks and messages', async () => {
    const { id, peer } = world.agents['1.0'];
    peer.behave({ conduct: 'stream' });
    const body = {
      jsonrpc: '2.0',
      id: 'a',
      method: 'agents/invoke',
      params: { agent_id: id, message: message('hello'), streaming: true },
    };
    const answers = (await collect(
      streamEvents(`${world.gateway.url}/a2a/v1`, { 'x-api-key': world.ours.key }, body),
    )) as unknown as {
      readonly id: string;
      readonly result: { readonly kind: string; readonly status?: { readonly state: string } };
    }[];
    expect(new Set(answers.map((answer) => answer.id))).toEqual(new Set(['a']));
    expect(answers.map(({ result }) => result.status?.state ?? result.kind)).toEqual([
      'submitted',
      'working',
      'message',
      'message',
      'message',
      'completed',
    ]);
    const { streaming: _, ...params } = body.params;
    const headers = { 'x-api-key': world.ours.key, accept: 'text/event-stream' };
    expect(await collect(streamEvents(`${world.gateway.url}/a2a/v1`, headers, { ...body, params }))).toHaveLength(6);
  });

  test('takes standard methods for the agent that is their tenant', async () => {
    const { id, peer } = world.agents['1.0'];
    peer.behave({ conduct: 'message' });
    const said = { messageId: 'of-1.0', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
    const { result } = await call('SendMessage', { tenant: String(id), message: said });
    expect(result).toMatchObject({ message: { parts: [{ text: 'You said: hello' }] } });
    expect((await call('SendMessage', { message: said })).error).toMatchObject({ code: -32_602 });
  });

  test.each([
    ['what is no JSON', '{', -32_700],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'agents/list' }], -32_600],
    ['no request', { id: 1 }, -32_600],
    ['two methods', '{"jsonrpc": "2.0", "id": 1, "method": "agents/list", "method": "agents/get"}', -32_600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'agents/destroy' }, -32_601],
    ['no agent', { jsonrpc: '2.0', id: 1, method: 'agents/invoke', params: { message: message('x') } }, -32_602],
    ['no message', { jsonrpc: '2.0', id: 1, method: 'agents/invoke', params: { agent_id: 1 } }, -32_602],
  ])('refuses %s', async (_, body, code) => {
    const { status, error } = await post(body, { 'x-api-key': world.ours.key });
    expect([status, error?.code]).toEqual([200, code]);
  });

  test('tells a rate limit as specified', async () => {
    const { id, peer } = world.agents['0.2'];
    peer.behave({ conduct: 'message' });
    const { admin } = world.gateway;
    await admin.expect('POST', `/agents/${id}/access`, { user_group_id: world.theirs.id, rate_limit: 1 });
    const limited = async () => {
      const { error } = await call('agents/invoke', { agent_id: id, message: message('x') }, world.theirs.key);
      return error?.message === 'Rate limit exceeded' ? error : undefined;
    };
    expect(await waitFor(limited, { what: 'the limit' })).toEqual({
      code: -32_000,
      message: 'Rate limit exceeded',
      data: 'rate limit exceeded: 1 requests per minute',
    });
  });

  test('limits admins, and tasks that are open', async () => {
    const { id, peer } = world.agents['0.3'];
    peer.behave({ conduct: 'message' });
    const path = `/agents/${id}/invoke`;
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      statuses.push((await world.gateway.admin.call('POST', path, { message: message('x') })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await world.gateway.admin.call('POST', path, { message: message('x') })).toMatchObject({
      error: 'rate limit exceeded: 3 requests per minute',
    });

    peer.behave({ conduct: 'ask' });
    const begin = () => world.ours.call<{ task: { id: string } }>('POST', path, { message: message('plan') });
    const open = [await begin(), await begin(), await begin(), await begin()];
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await begin()).toMatchObject({ status: 429, error: 'Too many tasks of agents are open' });
    // A task that goes on is none more.
    const more = { message: { ...message('Bern'), taskId: open[0]?.data.task.id } };
    expect((await world.ours.call('POST', path, more)).status).toBe(200);
  });

  test('a call that went through the gateway too often is a loop', async () => {
    const url = `${world.gateway.url}/api/v1/agents/${world.agents['1.0'].id}/invoke`;
    for (const headers of [{ 'x-portcullis-hops': '8' }, { tracestate: 'other=1,portcullis=9' }]) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'x-api-key': world.ours.key, 'content-type': 'application/json' },
        body: JSON.stringify({ message: message('hello') }),
      });
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'Agents call each other through the gateway in a loop' }),
      ]);
    }
  });

  describe('policies', () => {
    const invoke = (body: object) =>
      world.ours.call<{ task: { artifacts: { parts: { text?: string }[] }[] } }>(
        'POST',
        `/agents/${world.agents['1.0'].id}/invoke`,
        body,
      );
    beforeAll(async () => {
      world.agents['1.0'].peer.behave({ conduct: 'message' });
      const isInForce = async () => (await invoke({ message: message('open sesame') })).status === 403;
      await waitFor(isInForce, { what: 'the policy to be in force' });
    });

    test.each([
      ['a text', [{ kind: 'text', text: 'please open sesame' }]],
      ['data', [{ kind: 'data', data: { deep: ['open sesame'] } }]],
      ['the name of a file', [{ kind: 'file', file: { uri: 'https://x.example/f', name: 'open sesame' } }]],
      [
        'a file',
        [{ kind: 'file', file: { bytes: Buffer.from('now open sesame').toString('base64'), mimeType: 'text/plain' } }],
      ],
      [
        'parts together',
        [
          { kind: 'text', text: 'open ses' },
          { kind: 'text', text: 'ame' },
        ],
      ],
    ])('block %s before it leaves', async (_, parts) => {
      const { peer } = world.agents['1.0'];
      const before = peer.requests.length;
      expect(await invoke({ message: { role: 'user', parts } })).toMatchObject({
        status: 403,
        error: 'Request blocked by security policy',
        error_code: 'POLICY_VIOLATION',
      });
      expect(peer.requests).toHaveLength(before);
    });

    test('block a message with a name of its caller again and again', async () => {
      const named = { message: { ...message('open sesame'), messageId: 'named' } };
      for (let time = 0; time < 2; time += 1) expect((await invoke(named)).status).toBe(403);
    });

    test('hide from the agent what its caller sees again', async () => {
      const { peer } = world.agents['1.0'];
      peer.behave({ conduct: 'stream' });
      const { data } = await invoke({ message: message('my code-123456 is new') });
      const sent = JSON.stringify(peer.requests.at(-1)?.body);
      expect(sent).not.toContain('code-123456');
      const text = data.task.artifacts.flatMap(({ parts }) => parts.map((part) => part.text)).join('');
      expect(text).toBe('You said: my code-123456 is new');
    });

    test('cut a stream before a text that is split over its events, and the task has failed', async () => {
      const { id, peer } = world.agents['1.0'];
      peer.behave({ conduct: 'stream' });
      const url = `${world.gateway.url}/api/v1/agents/${id}/invoke`;
      const body = { message: message('forbidden fruit'), streaming: true };
      const events = (await collect(streamEvents(url, { 'x-api-key': world.ours.key }, body))) as unknown as {
        readonly task?: { readonly id: string };
        readonly artifact_update?: { readonly artifact: { readonly parts: readonly { readonly text: string }[] } };
        readonly status_update?: object;
        readonly error?: object;
      }[];
      expect(JSON.stringify(events.map((event) => event.artifact_update ?? ''))).not.toContain('fruit');
      expect(events.at(-2)).toMatchObject({
        status_update: {
          final: true,
          status: {
            state: 'TASK_STATE_FAILED',
            message: { parts: [{ text: 'Request blocked by security policy' }] },
          },
        },
      });
      expect(events.at(-1)).toMatchObject({
        jsonrpc: '2.0',
        error: { code: -32_000, message: 'Request blocked by security policy' },
      });
      const task = events[0]?.task?.id;
      expect(await world.ours.call('GET', `/agents/${id}/tasks/${task}`)).toMatchObject({
        data: { status: { state: 'TASK_STATE_FAILED' }, artifacts: expect.not.arrayContaining([{ parts: 'fruit' }]) },
      });
      const whole = await world.ours.call('POST', `/agents/${id}/invoke`, { message: message('forbidden fruit') });
      expect(whole).toMatchObject({ status: 403, error: 'Request blocked by security policy' });
    });

    test('are told in the log and as an alert', async () => {
      await invoke({ message: message('please open sesame') });
      const { admin } = world.gateway;
      interface Log {
        readonly id: number;
        readonly block_reasons: readonly string[];
      }
      const path = `/agents/${world.agents['1.0'].id}/logs`;
      const findLog = async () => {
        const [newest] = (await admin.call<Log[]>('GET', `${path}?blocked=true`)).data;
        const detail = newest && (await admin.expect<Log>('GET', `${path}/${newest.id}`));
        return detail?.block_reasons.includes('Open sesame') === true ? detail : undefined;
      };
      expect(await waitFor(findLog, { what: 'the log' })).toMatchObject({
        blocked: true,
        response_status: 403,
        risk_score: 75,
        policy_hits: [{ rule_id: 'DOOR', direction: 'request' }],
      });
      const alerts = async () =>
        (
          await admin.call<{ alerts: { rule_id: string; proxy_type: string }[] }>('GET', '/system/alerts')
        ).data.alerts.some(({ rule_id, proxy_type }) => rule_id === 'DOOR' && proxy_type === 'a2a');
      await waitFor(alerts, { what: 'the alert' });
    });
  });
});
