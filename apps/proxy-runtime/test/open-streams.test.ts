import { describe, expect, test } from '@jest/globals';
import { compilePolicies } from '@portcullis/core/policy/compile/compile-policies';
import { startServerInitiatedMcpPeer, wires } from '@portcullis/testkit/server-initiated-mcp-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import type { ProxyEntry } from '../src/snapshot/snapshot.ts';
import { housePolicy } from './mcp-block-policy.ts';
import { connectOver, createClient } from './official-client.ts';
import { goodKey, startProxy, type RunningProxy } from './start-proxy.ts';
import { knownTools, tool } from './tool-target.ts';

const edit = (proxy: RunningProxy, changes: Partial<ProxyEntry>): void =>
  proxy.change(({ proxies }) => ({
    proxies: new Map([...proxies].map(([id, entry]) => [id, { ...entry, ...changes }])),
  }));
const echo = { name: 'echo', inputSchema: { type: 'object' } };
const policies = compilePolicies([housePolicy], new Set());

describe.each(wires)('a session that is open over %s', (wire) => {
  test('hides a tool that is closed meanwhile', async () => {
    const offered = [{ ...echo, description: '', call: () => 'x' }];
    await using peer = await startServerInitiatedMcpPeer({ tools: offered });
    await using proxy = await startProxy({
      target: peer.url,
      proxy: { type: 'mcp', tools: knownTools([[tool('echo')]], { holdsChanges: false }) },
    });
    const client = createClient();
    await connectOver(client, wire, proxy.origin);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(['echo']);
    edit(proxy, { tools: knownTools([[tool('echo'), { enabled: false }]]) });
    expect(await names()).toEqual([]);
    await client.close();
  });
});

test('a socket that is open has its messages judged by a policy that is assigned meanwhile', async () => {
  await using peer = await startServerInitiatedMcpPeer();
  await using proxy = await startProxy({ target: peer.url, proxy: { type: 'mcp' } });
  const client = createClient();
  const heard: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
  await connectOver(client, 'websocket', proxy.origin);
  const notify = (data: string) => peer.conversations.at(-1)?.notify('notifications/message', { level: 'info', data });
  notify('marzipan');
  await waitFor(() => heard.length === 1, { what: 'the first message' });
  edit(proxy, { policies });
  notify('marzipan');
  notify('after');
  await waitFor(() => heard.length > 1, { what: 'the message after it' });
  expect(heard).toEqual(['marzipan', 'after']);
  await client.close();
});

test.each(['/mcp', '/sse'])(
  'a stream on %s ends when other policies judge it, and not when tools change',
  async (path) => {
    await using peer = await startServerInitiatedMcpPeer();
    await using proxy = await startProxy({
      target: peer.url,
      proxy: { type: 'mcp', tools: knownTools([[tool('echo')]]) },
    });
    const headers = { 'x-api-key': goodKey, accept: 'text/event-stream' };
    let session: string | null = null;
    if (path === '/mcp') {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
      const begun = await fetch(proxy.origin + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      session = begun.headers.get('mcp-session-id');
    }
    const stream = await fetch(proxy.origin + path, {
      headers: { ...headers, ...(session !== null && { 'mcp-session-id': session }) },
    });
    let ended = false;
    const reading = stream.text().then((text) => {
      ended = true;
      return text;
    });
    edit(proxy, { tools: knownTools([[tool('echo'), { enabled: false }]]) });
    await new Promise((resolve) => void setTimeout(resolve, 100));
    expect(ended).toBe(false);
    edit(proxy, { policies });
    peer.conversations.at(-1)?.notify('notifications/message', { level: 'info', data: 'marzipan' });
    expect(await reading).not.toContain('marzipan');
  },
);
