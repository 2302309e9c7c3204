import { objectOf } from '@portcullis/core/json/json-object';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { OnToolFailure } from './call-tool.ts';
import type { McpDefinition } from './mcp-definition.ts';
import type { McpCall } from './mcp-tool.ts';
import { createSdkServers, type CreateSdkServer, type Sdk } from './sdk-server.ts';

/** What the official SDK does with a message that was admitted. */
export interface MessageServer extends AsyncDisposable {
  /** Reads the SDK, which takes the main loop a third of a second: before anyone waits for it. */
  start(): Promise<void>;
  /** @param message what a client sent, parsed */
  serve(request: Request, message: unknown, call: McpCall): Promise<Response>;
}

/** Streams of `subscriptions/listen` at once, per process. */
const maxSubscriptions = 500;

export function createMessageServer(definition: McpDefinition, onFailure: OnToolFailure): MessageServer {
  let loaded: ReturnType<typeof load> | undefined;
  const calls = new WeakMap<Request, McpCall>();

  async function load() {
    const [sdk] = await Promise.all([import('@modelcontextprotocol/server'), definition.prepare?.()]);
    const createServer = createSdkServers(sdk, definition, onFailure);
    const callOf = ({ requestInfo }: { readonly requestInfo?: Request }): McpCall => {
      const call = requestInfo && calls.get(requestInfo);
      if (call === undefined) throw new Error('A message came without its request');
      return call;
    };
    const modern = sdk.createMcpHandler((context) => createServer(callOf(context)), {
      legacy: 'reject',
      maxSubscriptions,
    });
    return { sdk, createServer, modern };
  }

  return {
    async start() {
      await (loaded ??= load());
    },
    async serve(request, message, call) {
      const { sdk, createServer, modern } = await (loaded ??= load());
      if (await sdk.isLegacyRequest(request, message)) return serveLegacy(sdk, createServer, request, message, call);
      return serveModern(modern, calls, request, message, call);
    },
    async [Symbol.asyncDispose]() {
      await (await loaded)?.modern.close();
    },
  };
}

function serveModern(
  modern: McpHttpHandler,
  calls: WeakMap<Request, McpCall>,
  request: Request,
  message: unknown,
  call: McpCall,
): Promise<Response> {
  calls.set(request, call);
  return modern.fetch(request, { parsedBody: message });
}

/** One server for each request, whose session is in its id: any process can serve it. */
async function serveLegacy(
  sdk: Sdk,
  createServer: CreateSdkServer,
  request: Request,
  message: unknown,
  call: McpCall,
): Promise<Response> {
  const server = await createServer(call);
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  const close = (): void => void server.close().catch(() => undefined);
  request.signal.addEventListener('abort', close, { once: true });
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    close();
  }
}

export const isInitialize = (message: unknown): boolean => objectOf(message)?.['method'] === 'initialize';
