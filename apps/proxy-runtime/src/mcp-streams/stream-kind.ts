import { callsOf } from '@portcullis/core/mcp/rpc-message';
import type { Exchange } from '../exchange/exchange.ts';

/** The answer may be a stream of messages: it may pause for as long as there is nothing to say. */
export const mayStream = ({ proxy, request }: Exchange): boolean =>
  proxy.type === 'mcp' && request.headers.accept?.includes('text/event-stream') === true;

/** A stream on which the server speaks when it has something to say; no request waits for its end. */
export const isStanding = (exchange: Exchange): boolean =>
  mayStream(exchange) &&
  (exchange.request.method === 'GET' || callsOf(exchange.json).some(({ method }) => method === 'subscriptions/listen'));
