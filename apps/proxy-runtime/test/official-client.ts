import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Wire } from '@portcullis/testkit/server-initiated-mcp-peer';
import { goodKey } from './start-proxy.ts';
import { SocketTransport } from '@portcullis/testkit/socket-transport';

const requestInit = { headers: { 'x-api-key': goodKey } };

const transports: Readonly<Record<Wire, (origin: string) => Transport>> = {
  http: (origin) => new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }),
  sse: (origin) => new SSEClientTransport(new URL(`${origin}/sse`), { requestInit }),
  websocket: (origin) => new SocketTransport(`${origin.replace('http', 'ws')}/ws`, requestInit.headers),
};

/** The official client, before it is connected: it says what it can when it is. */
export const createClient = (): Client =>
  new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } } },
  );

export const connectOver = (client: Client, wire: Wire, origin: string): Promise<void> =>
  client.connect(transports[wire](origin));
