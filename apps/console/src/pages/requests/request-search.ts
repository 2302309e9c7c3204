import type { RequestQuery } from '@portcullis/contracts/routes/requests';
import { texts } from '../../ui/search-params.ts';

const names = ['outcome', 'time_range', 'search', 'model', 'user', 'proxy', 'team', 'key', 'order'] as const;

/** What the address of the list of requests says. */
export type RequestSearch = { readonly [Name in (typeof names)[number]]?: string };

export const parseRequestSearch = (search: Record<string, unknown>): RequestSearch => texts(search, names);

/** The filters as the API has them; it says itself what of them it does not take. */
export const requestFiltersOf = (search: RequestSearch) => search as unknown as Partial<RequestQuery>;
