import type { ReviewStatus } from '@portcullis/contracts/review';

/** Decisions of an admin about a change that was found. */
export type ReviewDecision = 'approved' | 'rejected';

/** What may still be decided: one that was rejected may be approved after all. */
const open: Readonly<Record<ReviewDecision, readonly ReviewStatus[]>> = {
  approved: ['pending', 'rejected'],
  rejected: ['pending'],
};

interface ReviewedChange {
  readonly id: number;
  readonly status: ReviewStatus;
}

/**
 * Why nothing is to be decided about a change; undefined when the decision may be taken.
 * @param pending the change of the same thing that waits, if any does: a newer one takes the place of those before
 */
export function checkDecision(
  decision: ReviewDecision,
  change: ReviewedChange,
  pending: ReviewedChange | undefined,
): string | undefined {
  const isLatest = pending === undefined || pending.id === change.id;
  if (isLatest && open[decision].includes(change.status)) return undefined;
  const state = isLatest ? change.status : 'followed by another one';
  return `The change ${change.id} is ${state}: nothing is to be decided about it`;
}
