import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange } from '../exchange.ts';
import type { SessionSeals } from './session-seals.ts';

/** The session that an answer names, as its client is to know it. Undefined when it names none. */
export function renderSession(
  { proxy, key, request, session }: Exchange,
  { 'mcp-session-id': named }: IncomingHttpHeaders,
  seals: SessionSeals,
): string | undefined {
  if (named === undefined || proxy.type !== 'mcp' || key === undefined) return undefined;
  const id = String(named);
  // Most answers name the session of their request, and a seal costs more than a look.
  const known = id === session ? request.headers['mcp-session-id'] : undefined;
  return typeof known === 'string' ? known : seals.seal({ proxyId: proxy.id, keyId: key.id }, id);
}
