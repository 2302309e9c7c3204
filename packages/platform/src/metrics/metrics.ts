import { Registry, collectDefaultMetrics } from 'prom-client';
import { createGatewayMetrics, type GatewayMetrics } from './gateway-metrics.ts';

/** The process' metrics: one registry, exposed at /api/v1/metrics/prometheus. */
export interface Metrics {
  readonly registry: Registry;
  /** What the gateway itself counts. */
  readonly gateway: GatewayMetrics;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, gateway: createGatewayMetrics(registry) };
}
