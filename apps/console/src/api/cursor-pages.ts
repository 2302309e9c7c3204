import type { Route, RouteOutput } from '@portcullis/contracts/route';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Endpoint } from './endpoint.ts';
import { routeKey } from './route-query.ts';
import { request } from './request.ts';

type Input<Called extends Route> = NonNullable<Parameters<typeof request<Called>>[1]>;

/** Reads a route whose answers name the cursor of the next page, page after page. */
export const useCursorPages = <Called extends Route>(endpoint: Endpoint<Called>, input: Input<Called>) =>
  useInfiniteQuery({
    queryKey: routeKey(endpoint as Endpoint<Route>, input),
    queryFn: ({ pageParam, signal }): Promise<RouteOutput<Called['parts']>> => {
      const query = { ...(input.query as object), ...(pageParam !== '' && { cursor: pageParam }) };
      return request(endpoint, { ...input, query } as Input<Called>, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last as { readonly next_cursor: string | null }).next_cursor,
  });
