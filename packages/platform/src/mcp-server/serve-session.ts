import { GatewayError } from '../http/gateway-error.ts';
import type { EventStreams } from './event-streams.ts';
import {
  isStateless,
  isUnknownSession,
  sendMethodNotAllowed,
  sendSessionNotFound,
  type McpExchange,
} from './mcp-exchange.ts';
import type { McpSessions } from './mcp-sessions.ts';
import { rpcCodes, sendRpcFailure } from './rpc-failure.ts';

/** GET: the stream on which a server speaks of its own accord. */
export function serveStream(exchange: McpExchange, streams: EventStreams): void {
  const { request, response, call } = exchange;
  if (isStateless(exchange)) return sendMethodNotAllowed(exchange);
  if (isUnknownSession(exchange)) return sendSessionNotFound(exchange);
  if (!(request.headers.accept ?? '').includes('text/event-stream')) {
    const message = 'GET opens a stream: send accept: text/event-stream';
    return sendRpcFailure(response, { status: 406, code: rpcCodes.refused, message });
  }
  if (streams.open(response, call.clientAddress)) return;
  throw new GatewayError('too_many_requests', {
    message: 'Too many streams are open',
    headers: { 'retry-after': '60' },
  });
}

/** DELETE: the end of a session. */
export async function serveEnd(exchange: McpExchange, sessions: McpSessions): Promise<void> {
  const { response, session } = exchange;
  if (isStateless(exchange)) return sendMethodNotAllowed(exchange);
  if (isUnknownSession(exchange)) return sendSessionNotFound(exchange);
  if (session === undefined) {
    const message = 'Name the session that shall end in Mcp-Session-Id';
    return sendRpcFailure(response, { status: 400, code: rpcCodes.refused, message });
  }
  await sessions.end(session);
  response.writeHead(204).end();
}
