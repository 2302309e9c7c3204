import type { ApprovalFilters } from '@portcullis/contracts/routes/approvals';
import { text } from '../../ui/search-params.ts';

/** What the address of the inbox says. */
export interface ApprovalSearch {
  readonly status?: string;
  readonly kind?: string;
  readonly severity?: string;
  readonly search?: string;
}

export const parseApprovalSearch = (search: Record<string, unknown>): ApprovalSearch => ({
  ...text(search, 'status'),
  ...text(search, 'kind'),
  ...text(search, 'severity'),
  ...text(search, 'search'),
});

/** The filters as the API has them; it says itself what of them it does not take. */
export const approvalFiltersOf = (search: ApprovalSearch) => search as ApprovalFilters;
