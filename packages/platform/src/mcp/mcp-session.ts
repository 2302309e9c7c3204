import { clientCapabilities } from './answer-server-request.ts';
import { McpFault, type McpTransport, type Message } from './mcp-transport.ts';

/** A conversation with an MCP server. */
export interface McpSession {
  /** What the server tells every model about itself; empty for none. */
  readonly instructions: string;
  /** The result of a method. @throws {McpFault} */
  request(method: string, params: object): Promise<Message>;
  /** Tells the server that it may forget the session, if it keeps one. */
  close(): Promise<void>;
}

const newestWithSessions = '2025-11-25';
const stateless = '2026-07-28';
const clientInfo = { name: 'portcullis', version: '1.0.0' };

/** Opens a conversation as servers of every revision but the stateless one know it, else without a session. */
export async function openMcpSession(open: () => Promise<McpTransport>): Promise<McpSession> {
  const transport = await open();
  try {
    return await initialize(transport);
  } catch (error) {
    if (!(error instanceof McpFault) || !error.mayBeStateless) throw error;
    await transport.close();
    return discover(await open()).catch(() => {
      throw error;
    });
  }
}

/** `initialize`, then `notifications/initialized`. */
async function initialize(transport: McpTransport): Promise<McpSession> {
  const started = await transport.call('initialize', {
    protocolVersion: newestWithSessions,
    capabilities: clientCapabilities,
    clientInfo,
  });
  const agreed = started['protocolVersion'];
  if (typeof agreed === 'string') transport.headers['mcp-protocol-version'] = agreed;
  await transport.notify('notifications/initialized');
  return { instructions: instructionsOf(started), request: transport.call, close: transport.close };
}

/** `server/discover`; every request says for itself what a session would know. */
async function discover(transport: McpTransport): Promise<McpSession> {
  transport.headers['mcp-protocol-version'] = stateless;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': stateless,
    'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
  const request = (method: string, params: object): Promise<Message> => {
    transport.headers['mcp-method'] = method;
    return transport.call(method, { ...params, _meta });
  };
  return { instructions: instructionsOf(await request('server/discover', {})), request, close: transport.close };
}

const instructionsOf = ({ instructions }: Message): string => (typeof instructions === 'string' ? instructions : '');
