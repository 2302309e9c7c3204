import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startReferenceServer, type ReferenceServer } from '@portcullis/testkit/mcp-reference/reference-server';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { inspectMcp } from './inspect-mcp.ts';
import { connectMcp, eras } from './connect-mcp.ts';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

interface CallResult {
  readonly result: Record<string, unknown> & { readonly isError?: boolean };
}

describe.each(waysFor('one process'))('the discovery server (%s)', (way) => {
  let server: ReferenceServer;
  let gateway: TestGateway;
  let proxy: ReadyProxy;
  let other: ReadyProxy;
  let url: string;

  beforeAll(async () => {
    server = await startReferenceServer();
    gateway = await startGateway(way);
    proxy = await setUpProxy(gateway.admin, server.endpoint, { type: 'mcp' });
    other = await setUpProxy(gateway.admin, server.endpoint, { type: 'mcp' });
    await setUpProxy(gateway.admin, server.endpoint, { type: 'llm' });
    url = `${gateway.url}/api/v1/mcp`;
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  /** As a program without any MCP library does it. */
  const post = async (message: object, path = '/api/v1/mcp', headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
    return (await response.json()) as CallResult;
  };
  const call = async (name: string, input: object = {}, headers?: Record<string, string>) =>
    (await post({ method: 'tools/call', params: { name, arguments: input } }, '/api/v1/mcp', headers)).result;
  const proxyUrl = ({ port }: ReadyProxy) => `http://127.0.0.1:${port}/mcp`;

  test.each(eras)('the official client lists and configures proxies, revision %s', async (era) => {
    const client = await connectMcp(url, era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_proxies',
      'get_proxy_config',
      'get_auth_url',
      'start_proxy',
      'stop_proxy',
      'get_proxy_status',
    ]);
    const listed = await client.callTool({ name: 'list_proxies' });
    expect(listed).toMatchObject({
      structuredContent: {
        count: 2,
        proxies: [
          { id: proxy.id, url: proxyUrl(proxy), oauth_enabled: false, auth_type: 'none' },
          { id: other.id, url: proxyUrl(other) },
        ],
      },
    });
    expect(listed['proxies']).toEqual((listed.structuredContent as { proxies: unknown }).proxies);
    const config = await client.callTool({ name: 'get_proxy_config', arguments: { proxy_id: proxy.id } });
    expect(config['config']).toEqual({
      mcpServers: {
        [String(config['proxy_name'])]: { url: proxyUrl(proxy), headers: { Authorization: 'Bearer <API_KEY>' } },
      },
    });
    expect(await client.callTool({ name: 'get_auth_url', arguments: { proxy_id: proxy.id } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('does not use OAuth') }],
    });
    await client.close();
  });

  test('a configuration that holds a key opens the proxy', async () => {
    const { config } = await call('get_proxy_config', { proxy_id: proxy.id, jwt_token: proxy.key });
    const [entry] = Object.values(
      (config as { mcpServers: Record<string, { url: string; headers: object }> }).mcpServers,
    );
    const client = await connectMcp(entry?.url ?? '', 'auto', { ...entry?.headers });
    expect(await client.listTools()).toMatchObject({ tools: [] });
    await client.close();
  });

  test('a key sees the proxies of its group, in tools and in the routes', async () => {
    const headers = { 'x-api-key': proxy.key };
    expect(await call('list_proxies', {}, headers)).toMatchObject({ count: 1, proxies: [{ id: proxy.id }] });
    expect(await call('get_proxy_config', { proxy_id: other.id }, headers)).toMatchObject({ isError: true });
    const found = await fetch(`${gateway.url}/api/v1/mcp/discover`, { headers });
    expect(await found.json()).toMatchObject({ data: { count: 1 } });
  });

  test('routes tell the same as the tools', async () => {
    const found = await fetch(`${gateway.url}/api/v1/mcp/discover`);
    expect(await found.json()).toMatchObject({ success: true, data: { count: 2, proxies: [{ id: proxy.id }, {}] } });
    expect((await fetch(`${gateway.url}/api/v1/mcp/config`)).status).toBe(401);
    const all = await gateway.admin.expect<{ config: { mcpServers: object } }>('GET', '/mcp/config');
    expect(Object.keys(all.config.mcpServers)).toHaveLength(2);
    expect(await gateway.admin.expect('GET', `/mcp/config/${proxy.id}`)).toMatchObject({ proxy_id: proxy.id });
    expect(await gateway.admin.call('GET', '/mcp/config/9999')).toMatchObject({ status: 404 });
  });

  test('a proxy with the five settings of OAuth alone has an OAuth proxy, and is told so', async () => {
    const { id: providerId } = await gateway.admin.expect<{ id: number }>('POST', '/oauth/providers', {
      name: 'Staff',
      provider_type: 'custom',
      client_id: 'portcullis',
      auth_url: 'http://127.0.0.1:9/authorize',
      token_url: 'http://127.0.0.1:9/token',
      userinfo_url: 'http://127.0.0.1:9/user',
    });
    const settings = {
      oauth_proxy_enabled: true,
      oauth_proxy_mode: 'gateway',
      oauth_proxy_provider_id: providerId,
      oauth_proxy_require_consent: true,
      oauth_proxy_allowed_redirect_uris: ['http://localhost:*'],
    };
    await gateway.admin.expect('PUT', `/proxies/${other.id}`, { settings });
    const base = `http://localhost:${new URL(gateway.url).port}/api/v1/oauth-proxy/${other.id}`;
    const read = async (path: string) => (await fetch(`${other.url}${path}`)).json() as Promise<object>;
    expect(await read('/.well-known/oauth-protected-resource')).toMatchObject({
      resource: `http://localhost:${other.port}`,
    });
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
    });
    expect(await call('list_proxies')).toMatchObject({
      proxies: [
        { id: proxy.id, oauth_enabled: false, auth_type: 'none' },
        { id: other.id, oauth_enabled: true, auth_type: 'standard' },
      ],
    });
    expect(await call('get_auth_url', { proxy_id: other.id })).toMatchObject({ auth_url: `${base}/authorize` });
    const { config } = await call('get_proxy_config', { proxy_id: other.id });
    expect(Object.values((config as { mcpServers: object }).mcpServers)).toEqual([{ url: proxyUrl(other) }]);
    const upstream = { oauth_proxy_mode: 'upstream', oauth_proxy_token_check: 'userinfo' };
    await gateway.admin.expect('PUT', `/proxies/${other.id}`, { settings: upstream });
    expect(await call('get_auth_url', { proxy_id: other.id })).toMatchObject({ auth_url: `${base}/authorize` });
    await gateway.admin.expect('PUT', `/proxies/${other.id}`, { settings: { oauth_proxy_enabled: false } });
    expect(await call('get_auth_url', { proxy_id: other.id })).toMatchObject({ isError: true });
  });

  test('messages to the root of the port reach it, and initialize needs no parameters', async () => {
    expect((await post({ method: 'initialize' }, '/')).result).toMatchObject({
      protocolVersion: '2024-11-05',
      serverInfo: { name: 'portcullis-discovery' },
    });
    // Who follows is at the page of the console.
    expect((await fetch(gateway.url, { headers: { accept: 'text/html' } })).headers.get('content-type')).toContain(
      'html',
    );
  });

  test('operators stop and start a proxy, and the audit log has it', async () => {
    const bearer = { authorization: `Bearer ${gateway.admin.token}` };
    const stopped = await call('stop_proxy', { proxy_id: other.id, jwt_token: gateway.admin.token });
    expect(stopped).toMatchObject({ proxy_id: other.id, message: 'Proxy stopped' });
    expect(await call('get_proxy_status', { proxy_id: other.id }, bearer)).toMatchObject({
      status: { state: 'stopped', desired_state: 'stopped' },
    });
    expect(await call('start_proxy', { proxy_id: other.id }, bearer)).toMatchObject({ message: 'Proxy started' });
    expect(await call('get_proxy_status', { proxy_id: other.id }, bearer)).toMatchObject({
      status: { state: 'running' },
    });
    const { logs } = await gateway.admin.expect<{ logs: readonly { event_type: string; resource: object }[] }>(
      'GET',
      '/audit/logs?event_type=proxy.stopped',
    );
    expect(logs[0]).toMatchObject({
      event_type: 'proxy.stopped',
      resource: { id: String(other.id) },
      actor: { username: 'admin' },
    });
  });

  test.each([
    ['without a login', {}, 'Send a login token'],
    ['with a token that is none', { jwt_token: 'a.b.c' }, 'Invalid or expired token'],
    ['with the key of a group', { jwt_token: 'key' }, 'role operator'],
  ])('a proxy is not stopped %s', async (_what, given, message) => {
    const input = 'jwt_token' in given && given.jwt_token === 'key' ? { jwt_token: proxy.key } : given;
    const answer = await call('stop_proxy', { proxy_id: proxy.id, ...input });
    expect([answer.isError, JSON.stringify(answer)]).toEqual([true, expect.stringContaining(message)]);
  });

  test('the inspector lists and calls', async () => {
    const listed = await inspectMcp(url, '--method', 'tools/list');
    expect([listed.code, listed.output]).toEqual([0, expect.stringContaining('list_proxies')]);
    const called = await inspectMcp(url, '--method', 'tools/call', '--tool-name', 'list_proxies');
    expect([called.code, called.output]).toEqual([0, expect.stringContaining(proxyUrl(proxy))]);
    const refused = ['--method', 'tools/call', '--tool-name', 'stop_proxy', '--tool-arg', `proxy_id=${proxy.id}`];
    expect(await inspectMcp(url, ...refused)).toMatchObject({ code: 5 });
  });

  test('it asks for a login where an admin wants that', async () => {
    await gateway.admin.expect('PUT', '/system/settings', { mcp_servers: { require_auth: true } });
    const status = async (headers: Record<string, string> = {}) =>
      (
        await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        })
      ).status;
    await waitFor(async () => (await status()) === 401, { what: 'the setting to be in force' });
    expect(await status({ 'x-api-key': proxy.key })).toBe(200);
    expect((await fetch(`${gateway.url}/api/v1/mcp/discover`)).status).toBe(401);
    await gateway.admin.expect('PUT', '/system/settings', { mcp_servers: { require_auth: false } });
  });
});
