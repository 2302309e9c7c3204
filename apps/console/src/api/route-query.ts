import type { Route } from '@portcullis/contracts/route';
import { queryOptions } from '@tanstack/react-query';
import type { Endpoint } from './endpoint.ts';
import { request } from './request.ts';

/** What a query of this route is known by, alone or with what it was asked with. */
export const keyOf = (endpoint: Endpoint<Route>, input?: unknown): readonly unknown[] =>
  input === undefined ? [endpoint.path] : [endpoint.path, input];

/** A reading of a route for `useQuery`. */
export const read = <Called extends Route>(
  endpoint: Endpoint<Called>,
  input: Parameters<typeof request<Called>>[1] = {},
) =>
  queryOptions({
    queryKey: keyOf(endpoint as Endpoint<Route>, input),
    queryFn: ({ signal }) => request(endpoint, input, signal),
  });
