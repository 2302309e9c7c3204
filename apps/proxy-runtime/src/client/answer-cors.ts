import { answerCors } from '@portcullis/platform/routes/cors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyEntry } from '../snapshot/snapshot.ts';

/** Headers that clients of MCP in browsers send and read. */
const sent = 'Accept, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-Session-Token';
const read =
  'MCP-Protocol-Version, Mcp-Session-Id, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Reset, X-Budget-Limit, X-Budget-Used, X-Budget-Remaining, X-Budget-Utilization, X-Budget-Warning';

/** Headers that name arguments of tools, of which each server has its own. */
const parameter = /^mcp-param-[\w-]{1,64}$/i;
const maxParameters = 50;

/**
 * Lets pages of the origins on a proxy's list read its answers, and answers what browsers ask before they send a request. Pages of
 * others are refused by the pipeline.
 * @returns whether it was such a question, which has its answer with that
 */
export function answerProxyCors(
  request: IncomingMessage,
  response: ServerResponse,
  { type, allowsOrigin }: Pick<ProxyEntry, 'type' | 'allowsOrigin'>,
): boolean {
  const { origin, 'access-control-request-headers': asked = '' } = request.headers;
  if (type !== 'mcp' || origin === undefined || !allowsOrigin(origin)) return false;
  const parameters = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => parameter.test(name))
    .slice(0, maxParameters);
  return answerCors(request, response, allowsOrigin, { allow: [sent, ...parameters].join(', '), expose: read });
}
