import type { Route } from '@portcullis/contracts/route';
import { queryOptions } from '@tanstack/react-query';
import type { Endpoint } from './endpoint.ts';
import { request } from './request.ts';

/** What a query of this route is known by, alone or with what it was asked with. */
export const routeKey = (endpoint: Endpoint<Route>, input?: unknown): readonly unknown[] =>
  input === undefined ? [endpoint.path] : [endpoint.path, input];

/** A reading of a route for `useQuery`. */
export const routeQuery = <Called extends Route>(
  endpoint: Endpoint<Called>,
  input: Parameters<typeof request<Called>>[1] = {},
) =>
  queryOptions({
    queryKey: routeKey(endpoint as Endpoint<Route>, input),
    queryFn: ({ signal }) => request(endpoint, input, signal),
  });
