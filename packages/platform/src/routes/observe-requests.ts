import type { Request, RequestHandler } from 'express';

/** One answered request, for the metrics. */
export interface Observation {
  readonly method: string;
  /** The route's path with the names of its parameters, or `unmatched`: few values, since clients may send any path. */
  readonly endpoint: string;
  readonly status: number;
  readonly durationMs: number;
}

export const observeRequests =
  (observe: (observation: Observation) => void): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      observe({
        method: request.method,
        endpoint: endpointOf(request),
        status: response.statusCode,
        durationMs: performance.now() - startedAt,
      });
    });
    next();
  };

/** The endpoint of requests that reached no route. */
export const unmatched = 'unmatched';

/** The path of the route that a request reached, with the names of its parameters, or `unmatched`. */
export function endpointOf(request: Request): string {
  const route: unknown = request.route;
  return hasPath(route) ? route.path : unmatched;
}

const hasPath = (route: unknown): route is { readonly path: string } =>
  typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string';
