import { round } from './wilson-interval.ts';

/** The score of a run at its end. */
export interface TrendPoint {
  readonly evaluationId: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly riskScore: number | null;
}

export interface RiskTrend {
  /** By time. */
  readonly points: readonly (TrendPoint & { readonly change: number | null })[];
  /** Over the last rated runs, in points of risk a run by least squares; null with fewer than two. */
  readonly slope: number | null;
  readonly direction: 'better' | 'worse' | 'steady' | 'unknown';
}

/** Runs that the direction is made of. */
const lastRuns = 10;
/** Less than a point of risk a run is no direction. */
const steady = 1;

/** How the risk of an endpoint went from run to run; runs without a score are shown and leave the line. */
export function riskTrend(points: readonly TrendPoint[]): RiskTrend {
  const sorted = points.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  let last: number | null = null;
  const changes = sorted.map((point) => {
    const change = point.riskScore === null || last === null ? null : round(point.riskScore - last);
    last = point.riskScore ?? last;
    return { ...point, change };
  });
  const scores = sorted.flatMap(({ riskScore }) => riskScore ?? []).slice(-lastRuns);
  const slope = scores.length < 2 ? null : round(leastSquares(scores));
  const direction = slope === null ? 'unknown' : slope >= steady ? 'worse' : slope <= -steady ? 'better' : 'steady';
  return { points: changes, slope, direction };
}

function leastSquares(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [above, below] = values.reduce<[number, number]>(
    ([top, bottom], value, index) => [top + (index - middle) * (value - mean), bottom + (index - middle) ** 2],
    [0, 0],
  );
  return above / below;
}
