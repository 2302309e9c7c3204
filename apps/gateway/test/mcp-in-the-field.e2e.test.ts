import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startServerInitiatedMcpPeer } from '@portcullis/testkit/server-initiated-mcp-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { enableTools, setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { everythingWires, startEverything, type EverythingServer, type EverythingWire } from './start-everything.ts';
import { startGateway } from './start-gateway.ts';

const require = createRequire(import.meta.url);
const remote = require.resolve('mcp-remote/dist/proxy.js');
const inspector = require.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** No test enables this one: it tells the server's environment. */
const hiddenTool = 'get-env';

/** All that the server shows to clients that can be asked everything. */
const allTools = 19;

/** The names of the transports for the gateway, for mcp-remote and for the inspector. */
const names = { sse: ['sse', 'sse-only', 'sse'], streamableHttp: ['http', 'http-only', 'http'] } as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('one process');
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
});

describe.each(Object.keys(everythingWires) as EverythingWire[])('the server everything over %s', (wire) => {
  const [transport, strategy, inspected] = names[wire];
  let server: EverythingServer;
  let proxy: ReadyProxy;
  let url: string;
  let discovered: readonly string[];
  let configuration: string;

  beforeAll(async () => {
    configuration = await mkdtemp(join(tmpdir(), 'portcullis-mcp-remote-'));
    server = await startEverything(wire);
    proxy = await setUpProxy(gateway.admin, server.url, {
      type: 'mcp',
      transport,
      policies: ['mcp-critical-security', 'mcp-standard-security'],
      settings: { tool_filtering: 'enforce' },
    });
    discovered = await enableTools(gateway.admin, proxy.id, hiddenTool);
    url = `${proxy.url}${everythingWires[wire]}`;
    await waitFor(async () => (await withClient(direct(), listed)).includes('echo'), { what: 'the tools to be open' });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await rm(configuration, { recursive: true, force: true });
  });

  const direct = (): Transport => {
    const options = { requestInit: { headers: { 'x-api-key': proxy.key } } };
    return wire === 'sse'
      ? new SSEClientTransport(new URL(url), options)
      : new StreamableHTTPClientTransport(new URL(url), options);
  };
  const throughRemote = (): Transport =>
    new StdioClientTransport({
      command: process.execPath,
      args: [remote, url, '--transport', strategy, '--header', `X-API-Key:${proxy.key}`],
      env: { PATH: process.env['PATH'] ?? '', MCP_REMOTE_CONFIG_DIR: configuration },
      stderr: 'ignore',
    });

  test('shows all its tools to discovery', () => {
    expect([...discovered, hiddenTool]).toHaveLength(allTools);
  });

  test.each([
    ['the official client', direct],
    ['mcp-remote', throughRemote],
  ])('lists, calls, asks and hides its tools for %s', async (_client, connect) => {
    await withClient(connect(), async (client) => {
      expect(await listed(client)).toContain('trigger-elicitation-request');
      expect(await listed(client)).not.toContain(hiddenTool);
      expect(await client.callTool({ name: 'echo', arguments: { message: 'Grüezi' } })).toMatchObject({
        content: [{ text: 'Echo: Grüezi' }],
      });
      await expect(client.callTool({ name: hiddenTool })).rejects.toThrow(`Unknown tool: ${hiddenTool}`);
      const sampled = await client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'hello' } });
      expect(JSON.stringify(sampled)).toContain('from the model of the client');
    });
  });

  const inspect = (...asked: readonly string[]) => {
    const where = ['--cli', url, '--transport', inspected, '--format', 'json', '--header', `X-API-Key: ${proxy.key}`];
    return promisify(execFile)(process.execPath, [inspector, ...where, ...asked]).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { readonly code: number; readonly stderr: string }) => ({ code: error.code, output: error.stderr }),
    );
  };

  test('serves the command line of the inspector', async () => {
    const list = await inspect('--method', 'tools/list');
    expect([list.code, list.output]).toEqual([0, expect.stringContaining('"echo"')]);
    expect(list.output).not.toContain(hiddenTool);
    const call = ['--method', 'tools/call', '--tool-name'];
    const echoed = await inspect(...call, 'echo', '--tool-arg', 'message=hello');
    expect([echoed.code, echoed.output]).toEqual([0, expect.stringContaining('Echo: hello')]);
    expect(await inspect(...call, hiddenTool)).toMatchObject({ code: 5 });
  });
});

test('our test server acknowledges a message of 2024-11-05 as the server everything does', async () => {
  await using server = await startEverything('sse');
  await using peer = await startServerInitiatedMcpPeer();
  const acknowledged = [await acknowledge(`${server.url}/sse`), await acknowledge(peer.endpoints.sse)];
  expect(acknowledged[1]).toEqual(acknowledged[0]);
});

async function acknowledge(stream: string) {
  const left = new AbortController();
  const opened = await fetch(stream, { headers: { accept: 'text/event-stream' }, signal: left.signal });
  const { value } = (await opened.body?.getReader().read()) ?? {};
  const endpoint = /data: (.*)/.exec(Buffer.from(value ?? '').toString())?.[1] ?? '';
  const answer = await fetch(new URL(endpoint, stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const told = [answer.status, answer.headers.get('content-type'), await answer.text()];
  left.abort();
  return told;
}

const listed = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

/** A client that can be asked for samples. */
async function withClient<T>(transport: Transport, use: (client: Client) => Promise<T>): Promise<T> {
  const capabilities = { sampling: {}, elicitation: {}, roots: {} };
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
  client.setRequestHandler('sampling/createMessage', () => ({
    model: 'none',
    role: 'assistant',
    content: { type: 'text', text: 'from the model of the client' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [] }));
  try {
    await client.connect(transport);
    return await use(client);
  } finally {
    await client.close();
  }
}
