import type { Registry } from 'prom-client';

/** The ways of adding up that prom-client knows. */
const aggregators = new Set(['sum', 'first', 'omit', 'average', 'min', 'max']);

/** One metric family of a process, as far as adding up needs to know it. */
export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly { readonly value: number }[];
}

/** What one process tells the others about its metrics. */
export interface MetricsReport {
  readonly instance_id: string;
  readonly metrics: readonly MetricFamily[];
}

/** @param names of the families to read; all of them unless given */
export async function readMetrics(registry: Registry, names?: readonly string[]): Promise<readonly MetricFamily[]> {
  if (names === undefined) return parseFamilies(await registry.getMetricsAsJSON());
  return parseFamilies(await Promise.all(names.map(async (name) => registry.getSingleMetric(name)?.get())));
}

/** Undefined for what is no report. Families that this process cannot add up are left out. */
export function parseMetricsReport(message: unknown): MetricsReport | undefined {
  if (!isRecord(message) || typeof message['instance_id'] !== 'string') return undefined;
  return { instance_id: message['instance_id'], metrics: parseFamilies(message['metrics']) };
}

const parseFamilies = (families: unknown): readonly MetricFamily[] =>
  Array.isArray(families) ? families.filter(isFamily).map(withNumbersOnly) : [];

/** A gauge without a measurement is NaN, and null after JSON: it must not spoil the others' average. */
const withNumbersOnly = (family: MetricFamily): MetricFamily => ({
  ...family,
  values: family.values.filter(({ value }) => Number.isFinite(value)),
});

const isFamily = (value: unknown): value is MetricFamily =>
  isRecord(value) &&
  typeof value['name'] === 'string' &&
  typeof value['type'] === 'string' &&
  typeof value['aggregator'] === 'string' &&
  aggregators.has(value['aggregator']) &&
  Array.isArray(value['values']) &&
  value['values'].every(isRecord);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
