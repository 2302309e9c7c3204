import { describe, expect, test } from '@jest/globals';
import { startServerInitiatedMcpPeer, wires } from '@portcullis/testkit/server-initiated-mcp-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { parseToolPermissions } from '@portcullis/core/mcp/tool-permissions';
import type { ProxyEntry } from '../src/snapshot/snapshot.ts';
import type { ToolEntry } from '../src/snapshot/proxy-tools.ts';
import { connectOver, createClient } from './official-client.ts';
import { startProxy, type RunningProxy } from './start-proxy.ts';
import { knownTools } from './tool-target.ts';

const definition = { name: 'echo', inputSchema: {} };
const toolsWith = (changes: Partial<ToolEntry>) => knownTools([[definition, changes]]);

/** What an admin does to the one tool. */
const decide = (proxy: RunningProxy, changes: Partial<ToolEntry>): void =>
  proxy.change(({ proxies }) => ({
    proxies: new Map([...proxies].map(([id, entry]) => [id, { ...entry, tools: toolsWith(changes) }])),
  }));

/** What an admin does to the permissions of the team. */
const allow = (proxy: RunningProxy, permissions: string): void =>
  proxy.change(({ proxies }) => ({
    proxies: new Map([...proxies].map(([id, entry]) => [id, { ...entry, access: accessWith(entry, permissions) }])),
  }));

const accessWith = ({ access }: ProxyEntry, permissions: string): ProxyEntry['access'] =>
  new Map([...access].map(([id, entry]) => [id, { ...entry, permissions, tools: parseToolPermissions(permissions) }]));

describe.each(wires)('clients that listen over %s', (wire) => {
  test('is told when other tools are open to him, and not when anything else changes', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    const proxyEntry = { type: 'mcp', tools: toolsWith({ enabled: false }) } as const;
    await using proxy = await startProxy({ target: peer.url, proxy: proxyEntry });
    let told = 0;
    const client = createClient();
    client.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1));
    await connectOver(client, wire, proxy.origin);
    // The server itself says that its list never changes.
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
    await waitFor(() => peer.conversations[0]?.canSpeak, { what: 'the way to the client' });
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual([]);

    decide(proxy, { enabled: false, rateLimit: 5 });
    decide(proxy, { enabled: true });
    await waitFor(() => told === 1, { what: 'the notification' });
    decide(proxy, { enabled: true, held: true });
    await waitFor(() => told === 2, { what: 'the notification' });
    expect(await names()).toEqual([]);
    // Approving takes another definition as good.
    decide(proxy, { enabled: true, hash: 'another' });
    await waitFor(() => told === 3, { what: 'the notification' });
    proxy.change(() => ({}));
    // What is open to his team is a matter of its permissions, too.
    allow(proxy, '{"tools": ["another"]}');
    await waitFor(() => told === 4, { what: 'the notification' });
    expect(await names()).toEqual([]);
    allow(proxy, '{"tools": ["another"]}');
    await client.ping();
    expect(told).toBe(4);
    await client.close();
  });
});
