import type { RequestQuery } from '@portcullis/contracts/routes/requests';
import { text } from '../../ui/search-params.ts';

/** What the address of the list of requests says. */
export interface RequestSearch {
  readonly outcome?: string;
  readonly time_range?: string;
  readonly search?: string;
  readonly model?: string;
  readonly user?: string;
  readonly proxy?: string;
  readonly team?: string;
  readonly key?: string;
  readonly order?: string;
}

export const parseRequestSearch = (search: Record<string, unknown>): RequestSearch => ({
  ...text(search, 'outcome'),
  ...text(search, 'time_range'),
  ...text(search, 'search'),
  ...text(search, 'model'),
  ...text(search, 'user'),
  ...text(search, 'proxy'),
  ...text(search, 'team'),
  ...text(search, 'key'),
  ...text(search, 'order'),
});

/** The filters as the API has them; it says itself what of them it does not take. */
export const requestFiltersOf = (search: RequestSearch) => search as unknown as Partial<RequestQuery>;
