import type { AlertFilters } from '@portcullis/contracts/routes/alerts';
import { text } from '../../ui/search-params.ts';

/** What the address of the list of alerts says; the detail keeps it for the way back and for the next one. */
export interface AlertSearch {
  readonly status?: string;
  readonly severity?: string;
  readonly search?: string;
  readonly rule_id?: string;
  readonly policy_name?: string;
  readonly user_identity?: string;
  readonly user_group?: string;
  readonly assignee?: string;
  readonly shadow?: string;
  readonly time_range?: string;
  readonly date_to?: string;
  readonly page?: string;
}

export const openStatuses = 'new,acknowledged,in_progress';

export const parseAlertSearch = (search: Record<string, unknown>): AlertSearch => ({
  ...text(search, 'status'),
  ...text(search, 'severity'),
  ...text(search, 'search'),
  ...text(search, 'rule_id'),
  ...text(search, 'policy_name'),
  ...text(search, 'user_identity'),
  ...text(search, 'user_group'),
  ...text(search, 'assignee'),
  ...text(search, 'shadow'),
  ...text(search, 'time_range'),
  ...text(search, 'date_to'),
  ...text(search, 'page'),
});

/** The filters as the API has them. What is open is asked for unless another status is: the list is a queue. */
export function alertFiltersOf(search: AlertSearch): AlertFilters {
  const { page: _page, shadow, status = openStatuses, ...others } = search;
  return {
    ...others,
    ...(status !== 'all' && { status }),
    ...((shadow === 'true' || shadow === 'false') && { shadow: shadow === 'true' }),
  };
}
