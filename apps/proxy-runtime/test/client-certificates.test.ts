import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { startServerInitiatedMcpPeer } from '@portcullis/testkit/server-initiated-mcp-peer';
import { createTestAuthority, type TestAuthority, type TestPair } from '@portcullis/testkit/test-authority';
import { waitFor } from '@portcullis/testkit/wait-for';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, createServer, request as send } from 'node:https';
import { recordsOf } from './tool-target.ts';
import { goodKey, startProxy, type RunningProxy, type StartOptions } from './start-proxy.ts';

const subject = 'CN=agent,O=Example';
const team = { id: 1, name: 'team', active: true, budget: undefined };

let authority: TestAuthority;
let server: TestPair;
let agent: TestPair;
let model: LlmPeer;
beforeAll(async () => {
  authority = await createTestAuthority();
  [server, agent] = await Promise.all([
    authority.issue({ subject: 'CN=localhost' }),
    authority.issue({ subject: 'O=Example,CN=agent', client: true }),
  ]);
  model = await startLlmPeer();
});
afterAll(async () => {
  await model[Symbol.asyncDispose]();
});
beforeEach(() => model.behave({}));

const start = (options: Partial<StartOptions> = {}): Promise<RunningProxy> =>
  startProxy({
    target: model.url,
    snapshot: { groupsBySubject: new Map([[subject, team]]) },
    createServer: (own, listener) =>
      createServer({ ...own, ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: false }, listener),
    ...options,
  });

const chat = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] });

interface Options extends Partial<TestPair> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly body?: string;
  readonly agent?: Agent;
}

async function ask(proxy: RunningProxy, { headers, path = '/v1/chat/completions', body = chat, ...tls }: Options = {}) {
  const { port } = new URL(proxy.origin);
  const sent = send({
    port,
    path,
    host: '127.0.0.1',
    servername: 'localhost',
    method: 'POST',
    ca: authority.cert,
    agent: false,
    ...tls,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, headers: response.headers, text };
}

const auditOf = ({ spool }: RunningProxy) => spool.records.filter((record) => record.kind === 'audit');

describe('a client certificate', () => {
  test('stands in place of a key for the group that is bound to its subject', async () => {
    await using proxy = await start();
    expect(await ask(proxy, agent)).toMatchObject({ status: 200 });
    // What libraries send that insist on some key.
    expect(await ask(proxy, { ...agent, headers: { authorization: 'Bearer none' } })).toMatchObject({ status: 200 });
    expect(model.requests.at(-1)?.headers['authorization']).toBeUndefined();
    await waitFor(() => recordsOf(proxy, 'request_log').length === 2, { what: 'the records' });
    expect(recordsOf(proxy, 'request_log')[0]).toMatchObject({ api_key_id: null, user_group_id: 1, status_code: 200 });
  });

  test('is nothing without a good authority, time and binding', async () => {
    await using proxy = await start();
    const other = await createTestAuthority('CN=Another');
    const [foreign, ended, unbound, lookAlike] = await Promise.all([
      other.issue({ subject: 'O=Example,CN=agent', client: true }),
      authority.issue({ subject: 'O=Example,CN=agent', client: true, days: -1 }),
      authority.issue({ subject: 'O=Example,CN=another agent', client: true }),
      authority.issue({ subject: String.raw`CN=agent\,O\=Example`, client: true }),
    ]);
    for (const pair of [foreign, ended]) {
      expect(await ask(proxy, pair)).toMatchObject({ status: 401, text: expect.stringContaining('not valid here') });
    }
    for (const pair of [unbound, lookAlike]) {
      expect(await ask(proxy, pair)).toMatchObject({ status: 401, text: expect.stringContaining('No user group') });
    }
    expect(await ask(proxy)).toMatchObject({ status: 401, text: expect.stringContaining('Missing API key') });
    const refused = auditOf(proxy).map(({ details, actor_name: name }) => [details['reason'], name]);
    expect(refused).toContainEqual(['certificate_unknown', 'CN=another agent,O=Example']);
    expect(refused.map(([reason]) => reason)).toContain('certificate_invalid');
  });

  test('does not outweigh a key: one that is revoked stays refused, one that is good decides', async () => {
    await using proxy = await start({ snapshot: { groupsBySubject: new Map([[subject, { ...team, id: 3 }]]) } });
    expect(await ask(proxy, { ...agent, headers: { 'x-api-key': goodKey } })).toMatchObject({ status: 200 });
    expect(await ask(proxy, { ...agent, headers: { 'x-api-key': 'gw_revoked' } })).toMatchObject({ status: 401 });
    // Group 3 has no access to the proxy.
    expect(await ask(proxy, agent)).toMatchObject({ status: 403 });
  });

  test('of an inactive group is refused', async () => {
    await using proxy = await start({ snapshot: { groupsBySubject: new Map([[subject, { ...team, id: 2 }]]) } });
    expect(await ask(proxy, agent)).toMatchObject({ status: 401, text: expect.stringContaining('inactive') });
  });

  test('that is unbound is refused with the next request of its connection', async () => {
    await using proxy = await start();
    const keepAlive = new Agent({ keepAlive: true, maxSockets: 1, ca: authority.cert, ...agent });
    expect(await ask(proxy, { agent: keepAlive })).toMatchObject({ status: 200 });
    proxy.change(() => ({ groupsBySubject: new Map() }));
    expect(await ask(proxy, { agent: keepAlive })).toMatchObject({ status: 401 });
    keepAlive.destroy();
  });

  test('has the rate limit of the access', async () => {
    await using proxy = await start({ rateLimit: 1, buckets: createInProcessBuckets() });
    expect((await ask(proxy, agent)).status).toBe(200);
    expect((await ask(proxy, agent)).status).toBe(429);
    expect((await ask(proxy, { headers: { 'x-api-key': goodKey } })).status).toBe(200);
  });

  test('has MCP sessions of its own, which no key can use, nor it those of a key', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await using proxy = await start({ target: peer.url, proxy: { type: 'mcp' } });
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const open = async (who: Options) => {
      const answer = await ask(proxy, { ...who, path: '/mcp', body: JSON.stringify(initialize) });
      expect(answer.status).toBe(200);
      return String(answer.headers['mcp-session-id']);
    };
    const ping = (who: Options, session: string) =>
      ask(proxy, {
        ...who,
        path: '/mcp',
        headers: { ...who.headers, 'mcp-session-id': session },
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
      });
    const key = { headers: { 'x-api-key': goodKey } };
    const [ofAgent, ofKey] = [await open(agent), await open(key)];
    expect((await ping(agent, ofAgent)).status).toBe(200);
    expect((await ping(key, ofKey)).status).toBe(200);
    expect((await ping(key, ofAgent)).status).toBe(404);
    expect((await ping(agent, ofKey)).status).toBe(404);
    // As the target knows it: unsealed it belongs to no caller.
    expect((await ping(agent, peer.conversations[0]?.id ?? '')).status).toBe(404);
  });
});
