import { keyHeaders } from '@portcullis/core/identity/presented-key';
import { withoutSessionCookie } from '@portcullis/platform/http/read-cookies';
import type { Exchange } from '../exchange/exchange.ts';
import { hopByHop, namedByConnection } from '../http/hop-by-hop.ts';
import { hasPathTraversal } from '../http/path-traversal.ts';
import { renderTargetAuth, staysHere } from './target-credentials.ts';

/** Header with which an admin asks for an explanation: a login token, so never the target's. */
export const explainHeader = 'x-portcullis-explain';

/**
 * The path towards the target: as the client gave it, behind the target's base path unless it
 * already begins with it. Undefined for a path that some target might take for one out of the base path.
 */
export function renderTargetPath(basePath: string, path: string, query: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  if (hasPathTraversal(basePath, path)) return undefined;
  if (basePath === '') return path + query;
  if (path === basePath || path.startsWith(`${basePath}/`)) return path + query;
  return (path === '/' ? basePath : basePath + path) + query;
}

/**
 * Headers for the target, as a flat list of names and values in the client's order. Left out are
 * hop-by-hop headers, what this hop decides itself, and the header that carried the gateway's key.
 */
export function renderTargetHeaders(exchange: Exchange): string[] {
  const { request, proxy } = exchange;
  const bodyBytes = exchange.body.bytes.length;
  const raw = request.rawHeaders;
  const named = namedByConnection(request.headers.connection);
  const auth = renderTargetAuth(exchange);
  const headers: string[] = ['host', proxy.target.host];

  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    const value = raw[index + 1] as string;
    if (named?.has(name) === true || name === auth?.[0]) continue;
    const kind = kinds.get(name);
    if (kind === undefined) headers.push(name, exchange.mirrored?.get(name) ?? value);
    else if (kind !== 'stays') pushSpecial(exchange, headers, { kind, name, value });
  }

  if (auth !== undefined) headers.push(...auth);
  // Policies read the answer, so it must not come compressed.
  headers.push('accept-encoding', 'identity', 'x-request-id', exchange.id);
  if (exchange.trace !== undefined) headers.push(...exchange.trace.targetHeaders());
  if (bodyBytes > 0 || request.headers['content-length'] !== undefined) {
    headers.push('content-length', String(bodyBytes));
  }
  return headers;
}

interface SpecialHeader {
  readonly kind: 'key' | 'trace' | 'encoding' | 'session' | 'cookie';
  readonly name: string;
  readonly value: string;
}

/** What goes on under some conditions only. */
function pushSpecial(exchange: Exchange, headers: string[], { kind, name, value }: SpecialHeader): void {
  if (kind === 'key' && staysHere(exchange, name, value)) return;
  // They go on as they are unless this gateway has spans of its own to tell.
  if (kind === 'trace' && exchange.trace !== undefined) return;
  if (kind === 'encoding' && exchange.bodyDecoded) return;
  if (kind === 'session' && exchange.proxy.type === 'mcp') {
    if (exchange.session !== undefined) headers.push(name, exchange.session);
    return;
  }
  if (kind === 'cookie') {
    // Browsers send that of their session to every port of the host.
    const rest = withoutSessionCookie(value);
    if (rest !== '') headers.push(name, rest);
    return;
  }
  headers.push(name, exchange.mirrored?.get(name) ?? value);
}

/** Of tokens of the gateway, which are no target's business, whichever credential counted. */
const sessionHeader = 'x-session-token';

const decidedHere = [
  explainHeader,
  sessionHeader,
  'host',
  'content-length',
  'accept-encoding',
  'expect',
  'x-request-id',
];

/** Headers of which not every one goes on. */
const kinds: ReadonlyMap<string, SpecialHeader['kind'] | 'stays'> = new Map([
  ...keyHeaders.map((name) => [name, 'key'] as const),
  ['traceparent', 'trace'],
  ['tracestate', 'trace'],
  ['content-encoding', 'encoding'],
  ['mcp-session-id', 'session'],
  ['cookie', 'cookie'],
  ...[...hopByHop, ...decidedHere].map((name) => [name, 'stays'] as const),
]);
