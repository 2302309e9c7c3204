import { renderSpecifiedCard } from '@portcullis/core/a2a/render-agent-card';
import { calledOriginOf } from '@portcullis/platform/http/called-origin';
import { takeRequestId } from '@portcullis/platform/http/request-id';
import type { ServiceApi } from '@portcullis/platform/http/service-api';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { publicBase, servedCard } from '../cards/served-card.ts';
import { createHubEndpoint } from '../hub/hub-endpoint.ts';
import { findBodyHolder, identifyCaller } from '../hub/identify-caller.ts';
import { hubSurface } from '../surfaces/hub-surface.ts';
import { findSurface } from './find-surface.ts';
import type { createInvocationHandler } from './handle-invocation.ts';
import type { HubResources } from './hub-resources.ts';
import type { Arrival } from './invocation.ts';
import { maxBodyBytesOf } from './open-invocation-handler.ts';

interface RouterMeans {
  readonly api: Pick<ServiceApi, 'clientAddress'>;
  readonly resources: HubResources;
  readonly handle: ReturnType<typeof createInvocationHandler>;
}

/** Finds the surface of a request, and hands it to the handler of calls; false for a request that is no call. */
export type CallRouter = (request: IncomingMessage, response: ServerResponse) => boolean;

const urlOf = ({ url = '/' }: IncomingMessage): URL => URL.parse(url, 'http://hub') ?? new URL('http://hub');

export function createCallRouter(
  { config, database, metrics, log }: Infrastructure,
  { api, resources: { feed, logins, bodyRooms }, handle }: RouterMeans,
): CallRouter {
  const call = (
    request: IncomingMessage,
    response: ServerResponse,
    place: Pick<Arrival, 'surface' | 'body' | 'heldBody'>,
  ): void => {
    const { pathname: path, searchParams: query } = urlOf(request);
    const clientIp = api.clientAddress(request);
    handle(
      { request, requestId: takeRequestId(request), snapshot: feed.current(), path, query, clientIp, ...place },
      response,
    );
  };
  const serveHub = createHubEndpoint({
    database,
    metrics: metrics.gateway,
    maxBodyBytes: maxBodyBytesOf(config),
    bodyRooms,
    clientAddress: api.clientAddress,
    findHolder: (request) => findBodyHolder(request, logins, feed.current()),
    identify: (request) => identifyCaller(request, logins, database),
    renderCard: (row, request) =>
      renderSpecifiedCard(servedCard(row, publicBase(config, { calledOrigin: calledOriginOf(request) }))),
    invoke: (request, response, body, heldBody) => call(request, response, { surface: hubSurface, body, heldBody }),
    log: (error) => void log.error('the hub failed', { reason: problemText(error) }),
  });

  return (request, response) => {
    const { pathname: path } = urlOf(request);
    if (/^\/a2a\/v1\/?$/.test(path) && request.method === 'POST') {
      void serveHub(request, response);
      return true;
    }
    const surface = findSurface(request.method ?? '', path);
    if (surface !== undefined) call(request, response, { surface });
    return surface !== undefined;
  };
}
