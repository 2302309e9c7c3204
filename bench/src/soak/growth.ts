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
  readonly perHour: number;
  readonly perMillionRequests: number;
  readonly isGrowing: boolean;
}

/** Pieces of the run whose medians are compared: what garbage collectors do within one does not count. */
const blocks = 24;

/**
 * How a figure moves in the last two thirds of a run, by the median of the slopes between all pairs of blocks
 * (Theil and Sen): up to a quarter of the blocks may be anything without moving it.
 */
export function judgeGrowth(points: readonly Point[], bound: GrowthBound): Growth {
  const late = points.slice(Math.floor(points.length / 3));
  const medians = cut(late).map((block) => ({
    hours: median(block.map(({ hours }) => hours)),
    requests: median(block.map(({ requests }) => requests)),
    value: median(block.map(({ value }) => value)),
  }));
  const perHour = slope(medians.map(({ hours, value }) => [hours, value]));
  const spanHours = (late.at(-1)?.hours ?? 0) - (late[0]?.hours ?? 0);
  return {
    first: points[0]?.value ?? 0,
    last: points.at(-1)?.value ?? 0,
    perHour,
    perMillionRequests: 1e6 * slope(medians.map(({ requests, value }) => [requests, value])),
    isGrowing: perHour > bound.perHour && perHour * spanHours > bound.rise,
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
