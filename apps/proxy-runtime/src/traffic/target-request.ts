import type { Exchange } from '../exchange.ts';
import { isHopByHop, namedByConnection } from './hop-by-hop.ts';
import { renderTargetAuth, staysHere } from './target-credentials.ts';

/** Header with which an admin asks for an explanation: a login token, so never the target's. */
export const explainHeader = 'x-portcullis-explain';

const dotSegment = /(?:^|\/)(?:\.|%2e){2}(?:\/|$)/i;

/**
 * The path towards the target: as the client gave it, behind the target's base path unless it
 * already begins with it. Undefined for a path that would climb out of the base path.
 */
export function renderTargetPath(basePath: string, path: string, query: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  if (basePath === '') return path + query;
  if (dotSegment.test(path)) return undefined;
  if (path === basePath || path.startsWith(`${basePath}/`)) return path + query;
  return (path === '/' ? basePath : basePath + path) + query;
}

/**
 * Headers for the target, as a flat list of names and values in the client's order. Left out are
 * hop-by-hop headers, what this hop decides itself, and the header that carried the gateway's key.
 */
export function renderTargetHeaders(exchange: Exchange): string[] {
  const { request, proxy, body } = exchange;
  const raw = request.rawHeaders;
  const named = namedByConnection(request.headers.connection);
  const auth = renderTargetAuth(exchange);
  const headers: string[] = ['host', proxy.target.host];

  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    if (isHopByHop(name) || decidedHere.has(name) || named?.has(name) === true) continue;
    if (name === auth?.[0] || staysHere(exchange, name, raw[index + 1] as string)) continue;
    if (exchange.trace !== undefined && traceHeaders.has(name)) continue;
    if (exchange.bodyDecoded && name === 'content-encoding') continue;
    if (name === 'mcp-session-id' && proxy.type === 'mcp') {
      if (exchange.session !== undefined) headers.push(name, exchange.session);
      continue;
    }
    headers.push(name, exchange.mirrored?.get(name) ?? (raw[index + 1] as string));
  }

  if (auth !== undefined) headers.push(...auth);
  // Policies read the answer, so it must not come compressed.
  headers.push('accept-encoding', 'identity', 'x-request-id', exchange.id);
  if (exchange.trace !== undefined) headers.push(...exchange.trace.targetHeaders());
  if (body.length > 0 || request.headers['content-length'] !== undefined) {
    headers.push('content-length', String(body.length));
  }
  return headers;
}

/** The caller's, which go on as they are unless this gateway has spans of its own to tell. */
const traceHeaders = new Set(['traceparent', 'tracestate']);
const decidedHere = new Set([explainHeader, 'host', 'content-length', 'accept-encoding', 'expect', 'x-request-id']);
