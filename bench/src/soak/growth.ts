/** One look at a figure. */
export interface Point {
  /** Since the load began. */
  readonly hours: number;
  /** Answered until then. */
  readonly requests: number;
  readonly value: number;
}

/** Both have to be passed for a figure to count as growing: one alone is noise, or a short run. */
export interface GrowthBound {
  readonly perHour: number;
  /** Within the part that was looked at. */
  readonly rise: number;
}

export interface Growth {
  readonly first: number;
  readonly last: number;
  /** Of the part that was looked at. */
  readonly lowest: number;
  readonly perHour: number;
  readonly perMillionRequests: number;
  /** Undefined for a run too short to tell. */
  readonly isGrowing: boolean | undefined;
}

/**
 * Pieces of the part that was looked at. Of each counts the lowest value: a heap climbs for minutes and falls when
 * its collector comes, and only what is left then can be a leak. In shorter pieces it may not come at all.
 */
const blocks = 10;
const shortestBlockHours = 1 / 60;

/**
 * How a figure moves in the last two thirds of a run, by the median of the slopes between the lowest points of all
 * pairs of blocks (Theil and Sen): a quarter of the blocks may be anything without moving it.
 */
export function judgeGrowth(points: readonly Point[], bound: GrowthBound): Growth {
  const late = points.slice(Math.floor(points.length / 3));
  const lows = cut(late).map((block) => block.reduce((low, point) => (point.value < low.value ? point : low)));
  const perHour = slope(lows.map(({ hours, value }) => [hours, value]));
  const spanHours = (late.at(-1)?.hours ?? 0) - (late[0]?.hours ?? 0);
  const isLong = spanHours >= blocks * shortestBlockHours;
  return {
    first: points[0]?.value ?? 0,
    last: points.at(-1)?.value ?? 0,
    lowest: lows.length === 0 ? 0 : Math.min(...lows.map(({ value }) => value)),
    perHour,
    perMillionRequests: 1e6 * slope(lows.map(({ requests, value }) => [requests, value])),
    isGrowing: isLong ? perHour > bound.perHour && perHour * spanHours > bound.rise : undefined,
  };
}

function cut(points: readonly Point[]): (readonly Point[])[] {
  const size = Math.max(1, Math.ceil(points.length / blocks));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size),
  );
}

/** 0 for fewer than two points. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x1, y1], index) =>
    points.slice(index + 1).flatMap(([x2, y2]) => (x2 === x1 ? [] : [(y2 - y1) / (x2 - x1)])),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
