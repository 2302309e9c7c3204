import { alertStatuses, severities } from '@portcullis/contracts/records';
import type { AlertPaging } from './alert-filter.ts';
import type { AlertDayCount } from './alert-day-counts.ts';
import { dayAfter, startOf } from './day-window.ts';

/** A stretch of the list to read: of one group, within some days, from a place not far from their start. */
export interface AlertSegment {
  readonly group: string | null;
  readonly from: Date;
  readonly to: Date;
  readonly offset: number;
  readonly limit: number;
}

/** Lowest first, so that `desc` has the gravest, or the furthest in the workflow, on top. */
const ranks: readonly string[] = [...severities.toReversed(), ...alertStatuses];

/**
 * Finds the days that a page lies in, from the counts of all days. At most one day's alerts are
 * skipped then, however far down the list the page is.
 */
export function findSegments(dayCounts: readonly AlertDayCount[], paging: AlertPaging): readonly AlertSegment[] {
  const { offset, limit } = paging;
  const segments: AlertSegment[] = [];
  let passed = 0;
  for (const { group, day, count } of inListOrder(dayCounts, paging)) {
    const start = Math.max(0, offset - passed);
    const end = Math.min(count, offset + limit - passed);
    passed += count;
    if (start < end) {
      const wanted = { group, from: startOf(day), to: startOf(dayAfter(day)), offset: start, limit: end - start };
      segments.push(...join(segments.pop(), wanted));
    }
    if (passed >= offset + limit) break;
  }
  return segments;
}

/** Days of one group that follow each other are read at once. */
function join(last: AlertSegment | undefined, next: AlertSegment): readonly AlertSegment[] {
  if (last === undefined) return [next];
  if (last.group !== next.group) return [last, next];
  const [from, to] = last.from < next.from ? [last.from, next.to] : [next.from, last.to];
  return [{ group: last.group, from, to, offset: last.offset, limit: last.limit + next.limit }];
}

/** Groups are in the order asked for, with the newest first in each; without groups the days are. */
function inListOrder(dayCounts: readonly AlertDayCount[], { sort, order }: AlertPaging): readonly AlertDayCount[] {
  const sign = order === 'desc' ? -1 : 1;
  const daySign = sort === 'created_at' ? sign : -1;
  return dayCounts.toSorted(
    (a, b) =>
      sign * (ranks.indexOf(a.group ?? '') - ranks.indexOf(b.group ?? '')) || daySign * (a.day < b.day ? -1 : 1),
  );
}
