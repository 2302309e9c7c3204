import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';
import { isSealedPath, type EndpointPaths } from '../mcp/endpoint-paths.ts';

/** Finds the way to an endpoint that the target announced outside of its base path. */
export const createFollowEndpoint = (endpoints: EndpointPaths): RequestStage<Exchange> => ({
  name: 'follow-endpoint',
  on: ['mcp'],
  onFault: 'deny',
  run(exchange) {
    if (!isSealedPath(exchange.path)) return next;
    exchange.announcedPath = endpoints.resolve(exchange.proxy.id, exchange.path);
    return exchange.announcedPath === undefined ? deny('not_found') : next;
  },
});
