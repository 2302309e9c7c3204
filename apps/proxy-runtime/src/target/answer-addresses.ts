import type { IncomingHttpHeaders } from 'node:http';
import { showAddress } from '@portcullis/platform/traffic/redirect-finding';
import type { Exchange } from '../exchange/exchange.ts';
import { renderTargetPath } from './target-request.ts';

/** Statuses with which clients go on to the address in `Location`, whether on their own or asked. */
const redirects: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 306, 307, 308]);

export const isRedirect = (status: number): boolean => redirects.has(status);

/** Headers of answers in which an address stands. */
const addressHeaders = [
  'location',
  'content-location',
  'refresh',
  'operation-location',
  'azure-asyncoperation',
] as const;
type AddressHeader = (typeof addressHeaders)[number];

/** What becomes of a header with an address. */
export interface AnswerAddress {
  readonly name: AddressHeader;
  /** As the client gets it; undefined where it leads past the proxy. */
  readonly value: string | undefined;
  /** Origin and path to which it leads past the proxy, for admins. */
  readonly elsewhere: string;
  /** The whole answer stays here, if it leads elsewhere: clients, or those who read the answer, take it for the way to go. */
  readonly isWay: boolean;
}

const none: readonly AnswerAddress[] = [];

/**
 * The addresses in the headers of an answer. Clients come to a proxy for what is behind it: what leads to the target's own
 * origin and base path is told as a path of the proxy.
 */
export function readAnswerAddresses(
  exchange: Exchange,
  status: number,
  headers: IncomingHttpHeaders,
): readonly AnswerAddress[] {
  let found: AnswerAddress[] | undefined;
  for (const name of addressHeaders) {
    const value = headers[name];
    if (value === undefined) continue;
    const isWay = name === 'location' ? isRedirect(status) : name === 'refresh' || name === 'content-location';
    (found ??= []).push({ name, isWay, ...readAddress(exchange, name, value) });
  }
  return found ?? none;
}

/** Seconds, and where to go then; as the HTML standard reads it. */
const refreshForm = /^\s*[\d.]*\s*(?:[;,]\s*)?(?:url\s*=\s*)?["']?/i;

type Reading = Pick<AnswerAddress, 'value' | 'elsewhere'>;

const unreadable: Reading = { value: undefined, elsewhere: 'an address that cannot be read' };

function readAddress(exchange: Exchange, name: AddressHeader, value: string | string[]): Reading {
  // Clients differ in which one they take of several.
  if (typeof value !== 'string') return unreadable;
  if (name !== 'refresh') return pointThroughProxy(exchange, value, '');
  const [beforeAddress = ''] = refreshForm.exec(value) ?? [];
  const address = value.slice(beforeAddress.length);
  if (address.trim() === '') return { value, elsewhere: '' };
  const [seconds = '0'] = /\d+/.exec(beforeAddress) ?? [];
  return pointThroughProxy(exchange, address.replace(/["'].*$/s, ''), `${seconds};url=`);
}

function pointThroughProxy(exchange: Exchange, address: string, prefix: string): Reading {
  const url = resolveOnTarget(exchange, address);
  if (url === undefined) return unreadable;
  const path = findProxyPath(exchange, url);
  if (path !== undefined) return { value: prefix + path + url.hash, elsewhere: '' };
  return { value: undefined, elsewhere: showAddress(url) };
}

function resolveOnTarget({ proxy, targetPath }: Exchange, address: string): URL | undefined {
  return URL.parse(address, proxy.target.origin + targetPath) ?? undefined;
}

/**
 * The path and query of the proxy that lead to `url` on the target; undefined where none do. A path that begins like the
 * name of a host would lead clients to that host.
 */
function findProxyPath({ proxy, announcedPath }: Exchange, url: URL): string | undefined {
  const { origin, basePath } = proxy.target;
  const path = url.pathname + url.search;
  const isElsewhere = url.origin !== origin || url.username !== '' || url.password !== '' || path.startsWith('//');
  // What was announced is known to clients by another name, and often beside the base path.
  if (isElsewhere || announcedPath !== undefined) return undefined;
  return renderTargetPath(basePath, url.pathname, url.search) === path ? path : undefined;
}

/** Statuses after which the same request goes to the new address; a POST behind 303 would become a GET. */
const repeating: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * The path on the target to which an MCP server sends a request that the gateway repeats there; undefined where it does
 * not. A server mounted at `/mcp/` answers so at `/mcp`, and many MCP clients do not follow.
 */
export function findNextPath(exchange: Exchange, status: number, location: string | undefined): string | undefined {
  if (exchange.proxy.type !== 'mcp' || !repeating.has(status) || typeof location !== 'string') return undefined;
  const url = resolveOnTarget(exchange, location);
  if (url === undefined) return undefined;
  const path = url.pathname + url.search;
  if (path === exchange.targetPath) return undefined;
  // An announced endpoint is bound to the origin, not to the base path.
  const isAnnounced = exchange.announcedPath !== undefined && url.origin === exchange.proxy.target.origin;
  return isAnnounced || findProxyPath(exchange, url) !== undefined ? path : undefined;
}
