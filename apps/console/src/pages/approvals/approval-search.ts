import type { ApprovalFilters } from '@portcullis/contracts/routes/approvals';
import { texts } from '../../ui/search-params.ts';

const names = ['status', 'kind', 'severity', 'search'] as const;

/** What the address of the inbox says. */
export type ApprovalSearch = { readonly [Name in (typeof names)[number]]?: string };

export const parseApprovalSearch = (search: Record<string, unknown>): ApprovalSearch => texts(search, names);

/** The filters as the API has them; it says itself what of them it does not take. */
export const approvalFiltersOf = (search: ApprovalSearch) => search as ApprovalFilters;
