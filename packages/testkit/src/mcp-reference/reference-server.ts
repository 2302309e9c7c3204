import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isInitializeRequest, isLegacyRequest, McpServer } from '@modelcontextprotocol/server';
import { registerContentTools } from './content-tools.ts';
import { createEventLog } from './event-log.ts';
import { registerMultiRoundTools, verifyState } from './multi-round-tools.ts';
import { registerPrompts, registerResources } from './reference-content.ts';
import { registerServerInitiatedTools, type Announcements } from './server-initiated-tools.ts';

export interface ReferenceServer extends AsyncDisposable {
  /** `http://localhost:<port>/mcp` */
  readonly endpoint: string;
  readonly port: number;
}

/** What a server hands out always has both. */
type ServedRequest = IncomingMessage & { method: string; url: string };

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

function createReferenceServer(announce: () => Announcements): McpServer {
  const server = new McpServer(
    { name: 'reference', version: '1.0.0' },
    { capabilities, requestState: { verify: verifyState } },
  );
  registerContentTools(server);
  registerServerInitiatedTools(server, announce);
  registerMultiRoundTools(server);
  registerPrompts(server);
  registerResources(server);
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  return server;
}

/**
 * A server made of the official SDK that has everything its conformance suite asks for, in both eras of
 * the protocol: with sessions and resumption up to 2025-11-25, without any state from 2026-07-28 on.
 */
export async function startReferenceServer(): Promise<ReferenceServer> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const modern = createMcpHandler(() => createReferenceServer(() => modern.notify), { legacy: 'reject' });
  const serveModern = toNodeHandler(modern);
  const allowsHost = localhostHostValidation();
  const allowsOrigin = localhostOriginValidation();

  const openSession = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventLog(),
      retryInterval: 100,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const server = createReferenceServer(() => ({
      toolsChanged: () => server.sendToolListChanged(),
      promptsChanged: () => server.sendPromptListChanged(),
    }));
    await server.connect(transport);
    return transport;
  };

  const serveLegacy = async (request: ServedRequest, response: ServerResponse, body: unknown): Promise<void> => {
    const named = request.headers['mcp-session-id']?.toString();
    const known = named === undefined ? undefined : sessions.get(named);
    if (known !== undefined) return known.handleRequest(request, response, body);
    if (named === undefined && isInitializeRequest(body)) {
      return (await openSession()).handleRequest(request, response, body);
    }
    const [status, message] = named === undefined ? [400, 'No session named'] : [404, 'Session not found'];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
  };

  const serve = async (request: ServedRequest, response: ServerResponse): Promise<void> => {
    if (!allowsHost(request, response) || !allowsOrigin(request, response)) return;
    const body = request.method === 'POST' ? parse(await text(request)) : undefined;
    const isLegacy = await isLegacyRequest(await toWebRequest(request, body));
    await (isLegacy ? serveLegacy(request, response, body) : serveModern(request, response, body));
  };

  const server = createServer((request, response) => {
    serve(request as ServedRequest, response).catch(() => response.destroy());
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    endpoint: `http://localhost:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      await modern.close();
      for (const transport of sessions.values()) await transport.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
};
