import {
  findClientKey,
  findPresentedKey,
  withoutKey,
  type PresentedKey,
} from '@portcullis/core/identity/presented-key';
import type { Exchange } from '../exchange/exchange.ts';

/** The key of a request on a proxy port, which goes no further in its query unless the proxy forwards it. */
export function findKey(exchange: Exchange): PresentedKey | undefined {
  const { proxy, query, request } = exchange;
  const presented = proxy.type === 'llm' ? findClientKey(request.headers, query) : findPresentedKey(request.headers);
  if (presented !== undefined && !proxy.forwardGatewayKey) exchange.query = withoutKey(query, presented.token);
  return presented;
}
