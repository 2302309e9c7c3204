import type { PolicyRedaction } from '@portcullis/contracts/policy-file';

/** A part of a text that must not be shown, and how its rule wants it replaced. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** A word such as EMAIL. */
  readonly type: string;
  readonly redact?: PolicyRedaction | undefined;
}

/** Overlapping spans as one. */
export interface MergedSpan {
  readonly start: number;
  readonly end: number;
  /** The longest of them, the first among equals: its rule says what stands in their place. */
  readonly lead: Span;
}

const leads = (span: Span, other: Span): boolean => {
  const longer = span.end - span.start - (other.end - other.start);
  return longer > 0 || (longer === 0 && span.start < other.start);
};

/**
 * Adds a span to merged spans that are in order. What any rule wants hidden stays hidden, and the
 * outcome is the same in any order of spans.
 */
export function addSpan(merged: MergedSpan[], span: Span): void {
  if (span.end <= span.start) return;
  let first = merged.length;
  while (first > 0 && (merged[first - 1] as MergedSpan).end > span.start) first -= 1;
  let behind = first;
  let { start, end } = span;
  let lead = span;
  for (let other = merged[behind]; other !== undefined && other.start < span.end; other = merged[behind]) {
    start = Math.min(start, other.start);
    end = Math.max(end, other.end);
    if (!leads(lead, other.lead)) lead = other.lead;
    behind += 1;
  }
  merged.splice(first, behind - first, { start, end, lead });
}
