import { renderSpecifiedCard } from '@portcullis/core/a2a/render-agent-card';
import { calledOriginOf } from '@portcullis/platform/http/called-origin';
import { takeRequestId } from '@portcullis/platform/http/request-id';
import type { ServiceApi } from '@portcullis/platform/service/service-api';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { publicBase, servedCard } from '../cards/served-card.ts';
import { createHubEndpoint } from '../hub/hub-endpoint.ts';
import { findBodyHolder, identifyCaller } from '../hub/identify-caller.ts';
import { hubSurface } from '../surfaces/hub-surface.ts';
import { findSurface } from './find-surface.ts';
import type { createInvocationHandler } from './handle-invocation.ts';
import type { HubResources } from './hub-resources.ts';
import type { Arrival } from '../invocation/invocation.ts';
import { maxBodyBytesOf } from './open-invocation-handler.ts';

interface RouterMeans {
  readonly api: Pick<ServiceApi, 'clientAddress'>;
  readonly resources: HubResources;
  readonly handle: ReturnType<typeof createInvocationHandler>;
}

/** Finds the surface of a request, and hands it to the handler of calls; false for a request that is no call. */
export type CallRouter = (request: IncomingMessage, response: ServerResponse) => boolean;

/** As the public port and the routes read it: nothing is resolved, or a call could be another one than the one that was routed here. */
function placeOf({ url = '/' }: IncomingMessage): { readonly path: string; readonly query: URLSearchParams } {
  const queryAt = url.indexOf('?');
  return queryAt === -1
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, queryAt), query: new URLSearchParams(url.slice(queryAt)) };
}

export function createCallRouter(
  { config, database, metrics, log }: Infrastructure,
  { api, resources: { feed, logins, bodyMemory }, handle }: RouterMeans,
): CallRouter {
  const call = (
    request: IncomingMessage,
    response: ServerResponse,
    place: Pick<Arrival, 'surface' | 'body' | 'heldBody'>,
  ): void => {
    const clientIp = api.clientAddress(request);
    handle(
      { request, requestId: takeRequestId(request), snapshot: feed.current(), ...placeOf(request), clientIp, ...place },
      response,
    );
  };
  const serveHub = createHubEndpoint({
    database,
    metrics: metrics.gateway,
    maxBodyBytes: maxBodyBytesOf(config),
    bodyMemory,
    clientAddress: api.clientAddress,
    findHolder: (request) => findBodyHolder(request, logins, feed.current()),
    identify: (request) => identifyCaller(request, logins, database),
    renderCard: (row, request) =>
      renderSpecifiedCard(servedCard(row, publicBase(config, { calledOrigin: calledOriginOf(request) }))),
    invoke: (request, response, body, heldBody) => call(request, response, { surface: hubSurface, body, heldBody }),
    log: (error) => void log.error('the hub failed', { reason: problemText(error) }),
  });

  return (request, response) => {
    const { path } = placeOf(request);
    if (/^\/a2a\/v1\/?$/i.test(path) && request.method === 'POST') {
      void serveHub(request, response);
      return true;
    }
    const surface = findSurface(request.method ?? '', path);
    if (surface !== undefined) call(request, response, { surface });
    return surface !== undefined;
  };
}
