import { Registry, collectDefaultMetrics } from 'prom-client';

/** The process' metrics: one registry, exposed at /api/v1/metrics/prometheus. */
export interface Metrics {
  readonly registry: Registry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry };
}
