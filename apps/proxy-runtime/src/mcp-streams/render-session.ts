import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange } from '../exchange/exchange.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';
import type { SessionSeals } from '../mcp/session-seals.ts';

/** The session that an answer names, as its client is to know it. Undefined when it names none. */
export function renderSession(
  exchange: Exchange,
  { 'mcp-session-id': named }: IncomingHttpHeaders,
  seals: SessionSeals,
): string | undefined {
  const { proxy, request, session } = exchange;
  const keyId = callerNumber(exchange);
  if (named === undefined || proxy.type !== 'mcp' || keyId === undefined) return undefined;
  const id = String(named);
  exchange.answeredSession = id;
  // Most answers name the session of their request, and a seal costs more than a look.
  const known = id === session ? request.headers['mcp-session-id'] : undefined;
  return typeof known === 'string' ? known : seals.seal({ proxyId: proxy.id, keyId }, id);
}
