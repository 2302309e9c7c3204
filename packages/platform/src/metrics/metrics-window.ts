import type { MetricFamily } from './metrics-report.ts';

/** One figure of a family, with its labels. */
export interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

/** The samples of one figure; of a histogram for example `x_bucket`. */
export const samplesOf = (families: readonly MetricFamily[], name: string): readonly Sample[] =>
  families.flatMap((family) =>
    name === family.name || name.startsWith(`${family.name}_`)
      ? (family.values as readonly Sample[]).filter(({ metricName = family.name }) => metricName === name)
      : [],
  );

export const sumOf = (families: readonly MetricFamily[], name: string): number =>
  samplesOf(families, name).reduce((sum, { value }) => sum + value, 0);

/** Cumulative counts by upper bound, the bounds ascending, Infinity last. */
export type Buckets = readonly (readonly [bound: number, count: number])[];

export const bucketsOf = (families: readonly MetricFamily[], name: string): Buckets =>
  samplesOf(families, `${name}_bucket`)
    .map(({ labels, value }): [number, number] => [labels['le'] === '+Inf' ? Infinity : Number(labels['le']), value])
    .sort(([a], [b]) => a - b);

/** How many observations came between two readings of a histogram. A bucket never counts backwards. */
export const bucketsSince = (now: Buckets, then: Buckets): Buckets => {
  const before = new Map(then);
  return now.map(([bound, count]) => [bound, Math.max(0, count - (before.get(bound) ?? 0))]);
};

/**
 * The value below which the share `quantile` (0-1) of the observations lies, assuming that they are
 * spread evenly within a bucket; the highest finite bound for those beyond it, 0 without observations.
 */
export function quantileOf(buckets: Buckets, quantile: number): number {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return 0;
  const rank = quantile * total;
  let [lowerBound, lowerCount] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= rank && count > lowerCount) {
      if (bound === Infinity) return lowerBound;
      return lowerBound + ((bound - lowerBound) * (rank - lowerCount)) / (count - lowerCount);
    }
    [lowerBound, lowerCount] = [bound === Infinity ? lowerBound : bound, count];
  }
  return lowerBound;
}

/** Observations beyond a bound that the histogram has. */
export const countAbove = (buckets: Buckets, bound: number): number =>
  (buckets.at(-1)?.[1] ?? 0) - (buckets.find(([each]) => each === bound)?.[1] ?? 0);

/** For example `850µs`, `12.5ms`, `1.25s`, `2m5s`; `0s` for nothing. */
export function renderSeconds(seconds: number): string {
  if (seconds <= 0 || !Number.isFinite(seconds)) return '0s';
  if (seconds < 0.001) return `${round(seconds * 1_000_000)}µs`;
  if (seconds < 1) return `${round(seconds * 1_000)}ms`;
  if (seconds < 60) return `${round(seconds)}s`;
  return `${Math.floor(seconds / 60)}m${Math.round(seconds % 60)}s`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
