import type { AlertFilters } from '@portcullis/contracts/routes/alerts';
import { texts } from '../../ui/search-params.ts';

const names = [
  'status',
  'severity',
  'search',
  'rule_id',
  'policy_name',
  'user_identity',
  'user_group',
  'assignee',
  'shadow',
  'time_range',
  'date_to',
  'page',
] as const;

/** What the address of the list of alerts says; the detail keeps it for the way back and for the next one. */
export type AlertSearch = { readonly [Name in (typeof names)[number]]?: string };

export const openStatuses = 'new,acknowledged,in_progress';

export const parseAlertSearch = (search: Record<string, unknown>): AlertSearch => texts(search, names);

/** The filters as the API has them. What is open is asked for unless another status is: the list is a queue. */
export function alertFiltersOf(search: AlertSearch): AlertFilters {
  const { page: _page, shadow, status = openStatuses, ...others } = search;
  return {
    ...others,
    ...(status !== 'all' && { status }),
    ...((shadow === 'true' || shadow === 'false') && { shadow: shadow === 'true' }),
  };
}
